import type { Story } from '../moments.js'

const LONG = 'The importer read the same line again and again and said so each time. '

/** Ids of any script and with any punctuation, two that look alike and are not, and texts that are far too long. */
export const languages: Story = tell => {
  const task_id = '翻訳/秋の資料'
  tell('12h', world => world.task({ task_id, goal: '秋の資料を五か国語に翻訳して公開する' }))
  const ids = [
    '翻訳/日本語',
    'ترجمة: فاتورة 7',
    'перевод №4 (черновик)',
    'café', // composed
    'cafe\u0301', // decomposed
    'a.b.Svc/Act(product,query,year:2026 month:11 day:10)',
    "x_'some|value'",
    '100%',
    'a/../b',
    '..',
    '--yes',
    '👩🏽‍🚀 launch',
  ]
  ids.forEach((operation_id, i) => {
    tell('11h', world =>
      world.prepare({ operation_id, task_id, tool: 'site.publish', effect: 'reversible', input: { n: i } }),
    )
    if (i % 3 === 2) return
    tell('11h', world => world.send(operation_id))
    if (i % 3 === 0)
      tell('10h', world => world.confirm(operation_id, { ids: [{ kind: 'page', value: `p-${i}` }] }))
    else tell('10h', world => world.lose(operation_id, 'timeout', 'delai dépassé – keine Antwort – 応答なし'))
  })
  const long = `long/${'step-'.repeat(60)}end`
  tell('9h', world =>
    world.prepare({
      operation_id: long,
      task_id,
      tool: 'site.publish',
      effect: 'reversible',
      input: { body: LONG.repeat(80), tags: Array.from({ length: 60 }, (_, i) => `tag-${i}`) },
    }),
  )
  tell('9h', world => world.send(long))
  tell('9h', world => world.lose(long, 'http_502', `502 Bad Gateway: ${LONG.repeat(40)}`))
}
