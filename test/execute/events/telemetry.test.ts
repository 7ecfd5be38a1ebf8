import { AsyncLocalStorage } from 'node:async_hooks'
import { context, metrics, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openLedger } from '../../../src/ledger.js'
import { aCall, aPath } from '../support/ledgers.js'

const spans = new InMemorySpanExporter()
const numbers = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
const reader = new PeriodicExportingMetricReader({ exporter: numbers, exportIntervalMillis: 3_600_000 })
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }))
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }))
context.setGlobalContextManager(contextManager())
afterAll(() => {
  trace.disable()
  metrics.disable()
  context.disable()
})
beforeEach(() => spans.reset())

describe('OpenTelemetry', () => {
  test('gets one span an attempt, with what became of it', async () => {
    const ledger = await opened()
    const repeat = { kind: 'conditional', names: 'permanent' } as const
    await ledger.run(aCall({ repeat }), () => Promise.reject(new Error('the answer is lost')))
    await ledger.run(aCall({ repeat }), () => 'T-1')
    const [lost, done, ...more] = spans.getFinishedSpans()
    expect(more).toEqual([])
    expect(lost).toMatchObject({
      name: 'attempt tickets.create',
      status: { code: SpanStatusCode.ERROR, message: 'the answer is lost' },
      attributes: {
        'agent_ledger.task_id': 'task-1',
        'agent_ledger.operation_id': 'ticket-1',
        'agent_ledger.status': 'unknown',
        'agent_ledger.attempt': 1,
        'agent_ledger.next_action': 'resend_same_key',
        'agent_ledger.error_rule': 'thrown',
      },
    })
    expect(done).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'agent_ledger.status': 'confirmed', 'agent_ledger.attempt': 2 },
    })
  })

  test('sees what the handler starts inside of that span, and that inside of the one around the call', async () => {
    const ledger = await opened()
    const tracer = trace.getTracer('an application')
    await tracer.startActiveSpan('the agent’s step', async step => {
      await ledger.run(aCall(), async () => {
        await new Promise(setImmediate)
        tracer.startSpan('POST /tickets').end()
      })
      step.end()
    })
    const [request, attempt, step] = spans.getFinishedSpans()
    expect([request?.name, attempt?.name, step?.name]).toEqual([
      'POST /tickets',
      'attempt tickets.create',
      'the agent’s step',
    ])
    expect(request?.parentSpanContext?.spanId).toBe(attempt?.spanContext().spanId)
    expect(attempt?.parentSpanContext?.spanId).toBe(step?.spanContext().spanId)
  })

  test('counts what happened, and measures attempts', async () => {
    const ledger = await opened()
    await ledger.run(aCall({ id: 'a', tool: 'mails.send' }), () => 1)
    await ledger.run(aCall({ id: 'b', tool: 'mails.send' }), () => Promise.reject(new Error('lost')))
    await reader.forceFlush()
    const found =
      numbers
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap(scope => scope.metrics) ?? []
    const of = (name: string) => {
      const points = found.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? []
      // What the points hold differs by the kind of metric; all have attributes and a value.
      return [...points].filter(({ attributes }) => attributes['agent_ledger.tool'] === 'mails.send')
    }
    const counts = of('agent_ledger.events').map(({ attributes, value }) => [
      attributes['agent_ledger.event'],
      value,
    ])
    expect(Object.fromEntries(counts)).toEqual({ prepared: 2, sent: 2, confirmed: 1, unknown: 1 })
    const durations = of('agent_ledger.attempt.duration')
    expect(durations.map(({ attributes }) => attributes['agent_ledger.event'])).toEqual([
      'confirmed',
      'unknown',
    ])
  })

  test('loses no span of an attempt that has not ended when the ledger is closed', async () => {
    const ledger = await openLedger(aPath())
    await ledger.prepare(aCall())
    await ledger.send('ticket-1')
    await ledger.close()
    expect(spans.getFinishedSpans()).toMatchObject([{ attributes: { 'agent_ledger.status': 'in_flight' } }])
  })

  test('gets nothing where it is switched off', async () => {
    const ledger = await openLedger(aPath(), { telemetry: false })
    onTestFinished(() => ledger.close())
    await ledger.run(aCall(), () => 1)
    expect(spans.getFinishedSpans()).toEqual([])
  })
})

async function opened() {
  const ledger = await openLedger(aPath())
  onTestFinished(() => ledger.close())
  return ledger
}

/** The context that goes with asynchronous work; the package that has one asks for a newer Node. */
function contextManager(): Parameters<typeof context.setGlobalContextManager>[0] {
  const storage = new AsyncLocalStorage<ReturnType<typeof context.active>>()
  const manager: Parameters<typeof context.setGlobalContextManager>[0] = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (of, work, self, ...given) => storage.run(of, () => work.call(self, ...given)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}
