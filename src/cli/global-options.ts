import { type Command, type Given, type Parameters, type Raw, readAll } from './command.js'
import { commaList, duration, flag, someText, time, value } from './parameters.js'

/** Options every command takes, listed once. */
export const GLOBAL_OPTIONS = {
  ledger: value('path|url', 'the ledger to use', someText, {
    fallback: 'AGENT_LEDGER, else the nearest agent-ledger.yaml, else the nearest .agent-ledger/ledger.db',
  }),
  config: value('path', 'the agent-ledger.yaml to use', someText, { fallback: 'the nearest one upward' }),
  json: flag('print one JSON document; errors are JSON on stderr'),
  jsonl: flag('print one JSON object a line, streamed'),
  fields: value('a,b', 'only these fields; an unknown one lists them', commaList),
  noColor: flag('no colour'),
  trustConfig: flag('for this run, let the probes of the configuration run programs, as `trust` does'),
  quiet: flag('no talk on stderr; errors stay'),
  by: value('actor', 'who decides, for the record', someText, {
    fallback: 'AGENT_LEDGER_BY, config, git, CI, user',
  }),
  yes: flag('decide without asking'),
  wait: value('duration', 'how long to wait for a locked ledger', duration, { fallback: '10s' }),
  tz: value('zone', 'time zone of times shown to people, `local` or a name such as Europe/Berlin', someText, {
    fallback: 'UTC',
  }),
  asOf: value('time', 'the clock for "in doubt" and "stalled"; reading commands only', time),
}

export type GlobalOptions = Given<Command<Record<never, never>, typeof GLOBAL_OPTIONS>>

/** Reads the global options from what was typed. */
export function readGlobalOptions(raw: Readonly<Record<string, Raw>>): GlobalOptions {
  return readAll(GLOBAL_OPTIONS, raw, '--')
}

/** The global options a command takes; those that would mean nothing to it are refused as unknown. */
export function globalsOf(command: Pick<Command, 'fields' | 'writes'>): Parameters {
  const { fields, asOf, ...rest } = GLOBAL_OPTIONS
  return {
    ...rest,
    ...(command.fields === undefined ? {} : { fields }),
    ...(command.writes === true ? {} : { asOf }),
  }
}
