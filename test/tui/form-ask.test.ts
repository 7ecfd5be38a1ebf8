import { expect, it } from 'vitest'
import { actionOf, formOf, withText } from '../../src/tui/actions.js'
import { commandOf } from '../../src/tui/form-ask.js'
import { fieldOf } from '../../src/tui/text-field.js'

it('the command line of what was typed beside the switch that there is none names the evidence alone', () => {
  const action = actionOf('resolve_confirmed')
  const form = { ...formOf(action), switches: new Set(['without_evidence'] as const) }
  const line = (given: typeof form) =>
    commandOf(action.verb, given, { id: 'ticket-1', version: 3, digest: null })
  expect(line(form)).toContain('--without-evidence')
  const typed = { ...form, texts: withText(form, 'evidence', fieldOf('T-1')).texts }
  expect(line(typed)).toContain('--evidence T-1')
  expect(line(typed)).not.toContain('--without-evidence')
})
