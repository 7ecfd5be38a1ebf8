import { sha256 } from '../../core/digest.js'

// Colours in pairs with at least 4.5 to 1 on their ground, in both schemes (WCAG 2.2, 1.4.3; measured by a test).
// What a colour says is said in words or by a shape as well.

export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1b2330; --soft: #566070; --line: #d5dbe4; --box: #f5f7fa;
  --doubt: #8f3410; --doubt-box: #fff3e6; --ok: #14612f; --ok-box: #ecf7ef; --fly: #1c4fc4; --fly-box: #edf2fe;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #11161d; --ink: #e4e8ee; --soft: #a5afbd; --line: #2d3743; --box: #19212b;
    --doubt: #ffb877; --doubt-box: #2d1e12; --ok: #85dfa3; --ok-box: #12271a; --fly: #9dbdff; --fly-box: #17223c;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 8px; top: 8px; background: var(--paper); padding: 8px; }
header, main, nav, footer { max-width: 1040px; margin: 0 auto; padding: 0 20px; }
header { padding-top: 28px; }
header p { margin: 0; color: var(--soft); font-size: 14px; overflow-wrap: anywhere; }
h1 { font-size: 26px; line-height: 1.25; margin: 6px 0 12px; overflow-wrap: anywhere; }
h2 { font-size: 19px; line-height: 1.3; margin: 0 0 10px; }
h3 { font-size: 15px; margin: 0 0 6px; color: var(--soft); }
header .lead { font-size: 18px; margin: 0 0 16px; color: var(--ink); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(132px, 1fr)); gap: 10px; margin: 0; padding: 0; list-style: none; }
.tiles li { border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; background: var(--box); margin: 0; }
.tiles b { display: block; font-size: 24px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.tiles .doubt { border-color: var(--doubt); background: var(--doubt-box); color: var(--doubt); }
nav { margin-top: 18px; font-size: 14px; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 16px; list-style: none; padding: 0; margin: 0; }
nav li { margin: 0; }
section { border-top: 1px solid var(--line); padding: 22px 0 8px; margin-top: 22px; }
section.doubt { border: 1px solid var(--doubt); border-left-width: 5px; border-radius: 8px; background: var(--doubt-box); padding: 18px 18px 6px; }
section.next { border: 1px solid var(--fly); border-left-width: 5px; border-radius: 8px; background: var(--fly-box); padding: 18px 18px 6px; }
ul, ol { padding-left: 22px; margin: 0 0 12px; }
li { margin: 0 0 8px; overflow-wrap: anywhere; }
li > ul { margin: 4px 0 0; }
.details { list-style: none; padding-left: 12px; border-left: 2px solid var(--line); }
.details li { margin: 0 0 3px; }
.intro { color: var(--soft); margin: 0 0 10px; }
code { font: 0.88em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
code.command { display: block; background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: 6px 10px; margin: 4px 0; user-select: all; white-space: pre-wrap; color: var(--ink); }
a { color: var(--fly); }
small { color: var(--soft); font-size: 0.88em; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
q { quotes: "“" "”"; }
.badge { font-size: 13px; border: 1px solid currentColor; border-radius: 999px; padding: 0 8px; }
.badge.doubt { color: var(--doubt); }
details { margin: 0 0 8px; }
summary { cursor: pointer; overflow-wrap: anywhere; }
details ul { margin-top: 8px; }
.picture { overflow: hidden; margin: 0 0 8px; border: 1px solid var(--line); border-radius: 8px; padding: 10px 34px; background: var(--paper); }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; padding: 0; font-size: 13px; color: var(--soft); }
.legend li { margin: 0; display: flex; align-items: center; gap: 6px; }
.flow { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 12px; margin: 0 0 12px; }
svg.timeline, svg.timeline svg { display: block; overflow: visible; }
.flow p { margin: 0; }
.flow > div { border: 1px solid var(--line); border-radius: 8px; padding: 12px; background: var(--box); }
.advice { border-left: 4px solid var(--fly); padding: 4px 12px; margin: 0 0 12px; }
.advice p, .advice ul { margin: 0 0 4px; }
footer { color: var(--soft); font-size: 13px; margin-top: 28px; padding-bottom: 32px; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 3px; }
svg .sublabel, svg .tick { fill: var(--soft); font-size: 11px; }
svg .gap-label { font-style: italic; }
svg .grid, svg .row { stroke: var(--line); }
svg .gap { stroke: var(--soft); stroke-dasharray: 2 4; }
svg .now { stroke: var(--fly); stroke-dasharray: 5 3; }
svg .written { stroke: var(--soft); stroke-width: 2; }
svg .bar { fill: var(--soft); }
svg .bar.applied { fill: var(--ok); }
svg .bar.ambiguous, svg .bar.open { fill: url(#stripes); stroke: var(--doubt); stroke-width: 1; }
svg .bar.not_applied, svg .bar.absent { fill: var(--paper); stroke: var(--soft); }
svg .doubt { fill: url(#hatch); stroke: var(--doubt); stroke-width: 0.5; }
svg .hatch-ground { fill: var(--doubt-box); }
svg .stripe-ground { fill: var(--doubt); }
svg .stripe-line { stroke: var(--paper); stroke-width: 2; }
svg .hatch-line { stroke: var(--doubt); stroke-width: 2; }
svg .lease { stroke: var(--fly); stroke-width: 2; }
svg .heartbeat { stroke: var(--ink); stroke-width: 2; }
svg .progress { fill: var(--ink); }
svg .evidence { fill: var(--fly); }
svg .settled { fill: var(--ok); stroke: var(--paper); stroke-width: 1.5; }
:focus-visible { outline: 3px solid var(--fly); outline-offset: 2px; }
svg .short { display: none; }
@media print, (max-width: 760px) { svg .extra { display: none; } }
@media screen and (max-width: 480px) { svg .roomy { display: none; } svg .short { display: inline; } }
@media (max-width: 760px) { .tiles { grid-template-columns: repeat(3, 1fr); } }
@media (max-width: 480px) { .tiles { grid-template-columns: repeat(2, 1fr); } header, main, nav, footer { padding-left: 14px; padding-right: 14px; } h1 { font-size: 21px; } section.doubt, section.next { padding: 14px 12px 4px; } }
@media print {
  :root { --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --box: #fff; --doubt-box: #fff; --fly-box: #fff; --doubt: #000; --fly: #000; --ok: #000; }
  nav, .skip { display: none; }
  body { font-size: 11pt; }
  svg.timeline { break-inside: avoid; }
  section { break-inside: auto; }
  h2, h3, summary { break-after: avoid; }
  /* paper cannot be unfolded */
  details::details-content { content-visibility: visible; }
  li, .flow > div { break-inside: avoid; }
}
`

/** No script, no request, no form; only this one stylesheet, by its digest. */
export function contentSecurityPolicy(): string {
  const bytes = (sha256(STYLESHEET).slice('sha256:'.length).match(/../g) ?? []).map(pair =>
    String.fromCharCode(Number.parseInt(pair, 16)),
  )
  return `default-src 'none'; style-src 'sha256-${btoa(bytes.join(''))}'; base-uri 'none'; form-action 'none'`
}
