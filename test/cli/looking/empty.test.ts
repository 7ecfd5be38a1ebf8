import { describe, expect, it } from 'vitest'
import { open } from '../deciding/opened.js'

describe('an empty list', () => {
  it('gives the all-clear for the whole ledger only when nothing narrowed it down', async () => {
    const { cli, confirmed } = await open()
    await confirmed({ operation_id: 'fine', tool: 'mail.send' })
    expect((await cli(['list'])).err).toBe('nothing needs a person\n')
    expect((await cli(['list', '--unknown'])).err).toBe('nothing is in doubt\n')
    expect((await cli(['list', '--tool', 'mail.sned'])).err).toBe(
      'nothing of what was asked for needs a person\n',
    )
    expect((await cli(['list', '--external-id', 'T-404'])).err).toBe('nothing is listed\n')
  })

  it('does not call the log empty where a name was misspelt', async () => {
    const { cli, lost } = await open()
    await lost()
    for (const narrowed of [
      ['--actor', 'anna'],
      ['--type', 'sned'],
    ])
      expect((await cli(['log', ...narrowed])).err, narrowed.join(' ')).toBe('nothing on record fits\n')
  })

  it('is none for a task that is not there', async () => {
    const { cli, lost } = await open()
    await lost()
    for (const command of ['list', 'check'])
      expect((await cli([command, '--task', 'task-11'])).code, command).toBe(4)
  })
})
