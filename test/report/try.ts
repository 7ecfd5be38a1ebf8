import { takeoverReport } from '../../src/report/takeover.js'
import { reportText } from '../../src/report/text.js'
import { reportMarkdown } from '../../src/report/markdown.js'
import { record, sightAt } from './record.js'
import { safe } from '../../src/core/safe-text.js'
import { NOON } from '../core/builders.js'
const id = (t: any) => t
const style = { show: safe, bold: id, dim: id, exact: (at: number) => safe(new Date(at).toISOString()), relative: (at: number) => safe(`${Math.round((NOON+3600000-at)/60000)}m ago`) }
const batch = record({ sight: sightAt(NOON+3600000), told: [
 { id: 'op-a', tool: 'write_file', becomes: 'confirmed', intent: { step: 'b7' } },
 { id: 'op-b', tool: 'post_webhook', at: 2, becomes: 'in_flight', intent: { step: 'b7', contract: {look_here: {url: 'https://hooks.example/x', check: 'curl -s https://hooks.example/x'}} } },
 { id: 'op-c', tool: 'spawn_agent', at: 3, becomes: 'prepared', intent: { step: 'b7' } },
 { id: 'op-d', tool: 'x', at: 4, becomes: 'confirmed_by_hand' },
]})
const r = takeoverReport(batch)
console.log(reportText(r, style)); console.log('-----'); console.log(reportMarkdown(r, style)); console.log(JSON.stringify(r, null, 1).slice(0, 3000))
