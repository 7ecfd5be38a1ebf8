import { spawn } from 'node:child_process'
import type { SetUp } from '../kit/incident.js'
import type { Stage } from '../kit/stage.js'

/** A guarded command line: its upload is there, and the runner of the job was killed before the command ended. */
export const setUp: SetUp = async stage => {
  const service = await stage.service()
  stage.tools(
    `  assets.upload:\n    effect: irreversible\n    look_here: { check: "curl -s '${service.url}/assets?file={target}'" }\n`,
  )
  stage.file(
    'upload.sh',
    `#!/bin/sh\ncurl -s -o /dev/null -d '{"file":"lib-x-1.0.tgz"}' '${service.url}/assets'\nsleep "\${SLOW:-0}"\n`,
    0o700,
  )
  await (await stage.as('runner')).task('release-1.0', { goal: 'Publish 1.0' })
  await job(stage, { SLOW: '600' }, () => service.effects().length > 0)
  return () => job(stage, {}, () => false)
}

/** Runs the job; killed with all that it started as soon as `until` holds. */
async function job(stage: Stage, env: Record<string, string>, until: () => boolean): Promise<void> {
  const line =
    'agent-ledger exec --task release-1.0 --op upload --tool assets.upload --target lib-x-1.0.tgz -- ./upload.sh'
  const child = spawn('bash', ['-c', line], {
    cwd: stage.folder,
    env: { ...stage.env, ...env },
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise<void>(resolve => child.on('close', () => resolve()))
  const isOver = ended.then(() => true)
  while (!(await Promise.race([isOver, pause(10)]))) {
    if (!until() || child.pid === undefined) continue
    process.kill(-child.pid, 'SIGKILL')
    break
  }
  await ended
}

function pause(ms: number): Promise<false> {
  return new Promise(resolve => setTimeout(() => resolve(false), ms))
}
