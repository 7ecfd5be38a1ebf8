import type { Story } from '../moments.js'

/** A release that stopped half-way: most assets are up, one publish got no answer, two steps were never reached. */
export const release: Story = tell => {
  const task_id = 'release-2.8.0'
  tell('5h', world =>
    world.task({
      task_id,
      goal: 'Publish version 2.8.0: assets, the npm package, the Homebrew tap, the announcement',
      agent: 'release-agent',
      labels: { team: 'platform' },
      links: ['https://git.example/acme/lib-x/releases/2.8.0'],
    }),
  )
  for (let n = 1; n <= 12; n++) {
    const id = `${task_id}/asset-${String(n).padStart(2, '0')}`
    tell('4h55m', world =>
      world.prepare({
        operation_id: id,
        task_id,
        phase: 'upload',
        tool: 'release.upload_asset',
        effect: 'reversible',
        target: 'release/v2.8.0',
        input: { asset: `lib-x-${n}.tar.gz` },
        repeat: { kind: 'conditional', names: 'permanent' },
      }),
    )
    tell('4h55m', world => world.send(id))
    if (n === 7)
      tell('4h54m', world => world.reject(id, 'http_404', 'the release v2.8.0 has no upload URL (404)'))
    else
      tell('4h54m', world =>
        world.confirm(id, {
          ids: [{ kind: 'asset', value: `a-${1200 + n}`, url: `https://git.example/assets/${1200 + n}` }],
        }),
      )
  }
  const npm = `${task_id}/npm`
  tell('4h50m', world =>
    world.prepare({
      operation_id: npm,
      task_id,
      phase: 'publish',
      tool: 'npm.publish',
      effect: 'irreversible',
      target: 'lib-x@2.8.0',
      input: { package: 'lib-x', version: '2.8.0', integrity: 'sha512-9f0c…' },
      repeat: { kind: 'conditional', names: 'permanent' },
      contract: {
        look_here: {
          url: 'https://registry.example/lib-x/2.8.0',
          check: 'npm view lib-x@2.8.0 dist.integrity',
        },
      },
    }),
  )
  tell('4h50m', world => world.send(npm))
  tell('4h49m', world => world.lose(npm, 'http_503', '503 Service Unavailable after the body was sent'))
  for (const [step, tool] of [
    ['tap', 'homebrew.update_tap'],
    ['announce', 'mail.send'],
  ] as const)
    tell('4h49m', world =>
      world.prepare({
        operation_id: `${task_id}/${step}`,
        task_id,
        phase: 'publish',
        tool,
        input: { version: '2.8.0' },
      }),
    )
  tell('4h48m', world =>
    world.as('agent').note(task_id, 'the registry answered 503 to the publish; nothing after it was begun', {
      kind: 'open',
    }),
  )
  // The CHANGELOG went to the wrong tag.
  const notes = `${task_id}/notes`
  tell('4h56m', world =>
    world.prepare({
      operation_id: notes,
      task_id,
      phase: 'upload',
      tool: 'release.write_notes',
      effect: 'reversible',
      target: 'release/v2.8.0',
      input: { file: 'CHANGELOG.md' },
    }),
  )
  tell('4h56m', world => world.send(notes))
  tell('4h55m', world => world.confirm(notes, { ids: [{ kind: 'release', value: 'v2.8.0-rc1' }] }))
}
