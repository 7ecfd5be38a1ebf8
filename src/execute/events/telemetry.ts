import type { Span } from '@opentelemetry/api'
import type { EventType } from '../../core/transitions/requests.js'
import type { LedgerEvent } from './ledger-event.js'
import type { Observer } from './watch.js'

// OpenTelemetry: one span an attempt, counters of what became of operations, a histogram of how long attempts took.
// The package is the application's; without it, or without an SDK behind it, nothing of this costs anything.

type Api = typeof import('@opentelemetry/api')

interface Sources {
  readonly version: string
  /** milliseconds that only grow */
  readonly monotonicMs: () => number
}

/** The observer that makes spans and metrics; null where `@opentelemetry/api` is not installed. */
export async function telemetry(sources: Sources): Promise<Observer | null> {
  try {
    return observerOf(await import('@opentelemetry/api'), sources)
  } catch {
    // Not installed, or one that cannot be loaded: the application's tracing is broken then, and no write is.
    return null
  }
}

/** Moves that end the newest attempt. */
const ENDS: ReadonlySet<EventType | null> = new Set<EventType>([
  'confirm',
  'reject',
  'reject_in_doubt',
  'schedule_retry',
  'lose',
  'orphan',
  'takeover',
  'resolve_confirmed',
])

interface LiveSpan {
  readonly span: Span
  readonly began_ms: number
}

function observerOf(api: Api, { version, monotonicMs }: Sources): Observer {
  const tracer = api.trace.getTracer('agent-ledger', version)
  const meter = api.metrics.getMeter('agent-ledger', version)
  const events = meter.createCounter('agent_ledger.events', {
    description: 'what happened to operations, by type, status and tool',
  })
  const durations = meter.createHistogram('agent_ledger.attempt.duration', {
    description: 'how long attempts took, by how they ended and tool',
    unit: 's',
  })
  const live = new Map<string, LiveSpan>()
  // Metrics go where they did when the ledger was opened; spans also to a provider that is registered later.
  const hasMeter = isMetering(api)
  return {
    isHeard: () => hasMeter || isTracing(api),
    event: event => {
      const { type, status, tool, move } = event
      events.add(1, { 'agent_ledger.event': type, 'agent_ledger.status': status, 'agent_ledger.tool': tool })
      if (move === 'send') begin(event)
      else if (ENDS.has(move)) end(event)
      else live.get(keyOf(event))?.span.addEvent(type, attributesOf(event))
    },
    during: ({ operation_id, attempt }, work) => {
      const found = live.get(keyOf({ operation_id, attempts: attempt }))
      if (found === undefined) return work()
      return api.context.with(api.trace.setSpan(api.context.active(), found.span), work)
    },
    close: () => {
      for (const { span } of live.values()) span.end()
      live.clear()
    },
  }

  function begin(event: LedgerEvent): void {
    const span = tracer.startSpan(`attempt ${event.tool}`, {
      kind: api.SpanKind.CLIENT,
      attributes: attributesOf(event),
    })
    live.set(keyOf(event), { span, began_ms: monotonicMs() })
  }

  function end(event: LedgerEvent): void {
    const found = live.get(keyOf(event))
    if (found === undefined) return
    const { type, tool, error } = event
    live.delete(keyOf(event))
    found.span.setAttributes(attributesOf(event))
    if (error !== null) found.span.setStatus({ code: api.SpanStatusCode.ERROR, message: error.message })
    found.span.end()
    const seconds = (monotonicMs() - found.began_ms) / 1_000
    durations.record(seconds, { 'agent_ledger.event': type, 'agent_ledger.tool': tool })
  }
}

/** Without a provider the package answers with one that does nothing: the same for all meters. */
function isMetering({ metrics, createNoopMeter }: Api): boolean {
  return metrics.getMeter('agent-ledger') !== createNoopMeter()
}

/** The package's own provider passes on to the one that is registered, and to one that does nothing until then. */
function isTracing({ trace, ProxyTracerProvider }: Api): boolean {
  const provider = trace.getTracerProvider()
  if (!(provider instanceof ProxyTracerProvider)) return true
  return provider.getDelegate() !== new ProxyTracerProvider().getDelegate()
}

function keyOf({ operation_id, attempts }: Pick<LedgerEvent, 'operation_id' | 'attempts'>): string {
  return `${attempts} ${operation_id}`
}

function attributesOf(event: LedgerEvent) {
  const { task_id, operation_id, tool, phase, step, target, status, attempts, error, next_action } = event
  return {
    'agent_ledger.task_id': task_id,
    'agent_ledger.operation_id': operation_id,
    'agent_ledger.tool': tool,
    ...(phase === null ? {} : { 'agent_ledger.phase': phase }),
    ...(step === null ? {} : { 'agent_ledger.step': step }),
    ...(target === null ? {} : { 'agent_ledger.target': target }),
    'agent_ledger.status': status,
    'agent_ledger.attempt': attempts,
    'agent_ledger.next_action': next_action.next_action,
    'agent_ledger.safe_to_repeat': next_action.safe_to_repeat,
    ...(error === null ? {} : { 'agent_ledger.error_rule': error.rule }),
  }
}
