import * as api from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { expect } from 'chai'
import { createTracing } from '../../src/serve/observability/tracing.ts'
import { coldPath } from '../contract/gateways.ts'
import { run } from '../harness/shops.ts'
import { shopsGateway } from '../harness/shops-gateway.ts'
import { until } from '../harness/until.ts'
import { capture } from './observed.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
const now = (): number => Date.now()

describe('a trace', () => {
  const exporter = new InMemorySpanExporter()
  const spansOf = (traceId: string): ReadableSpan[] =>
    exporter.getFinishedSpans().filter(span => span.spanContext().traceId === traceId)

  before(() => {
    expect(createTracing(api, now).hasSdk, 'before an SDK is registered').to.equal(false)
    const spanProcessors = [new SimpleSpanProcessor(exporter)]
    api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
    api.propagation.setGlobalPropagator(new W3CTraceContextPropagator())
    expect(createTracing(api, now).hasSdk).to.equal(true)
  })
  after(() => {
    api.trace.disable()
    api.propagation.disable()
  })

  const traced = shopsGateway({ CACHE_MAX_ENTRY_BYTES: '1MiB' }, now, clock =>
    createTracing(api, clock),
  )

  /** The spans of one request, parents first. */
  async function trace(path: string, headers: Record<string, string> = {}) {
    const answer = await traced.ask(path, { headers })
    const traceresponse = answer.headers.get('traceresponse')
    const [version, traceId = '', spanId, flags] = traceresponse?.split('-') ?? []
    await until(() => spansOf(traceId).some(span => span.spanContext().spanId === spanId))
    expect([version, flags]).to.deep.equal(['00', '01'])
    const spans = spansOf(traceId)
    const root = spans.find(span => span.spanContext().spanId === spanId)!
    const names = spans.map(({ name }) => name).toSorted()
    const named = (name: string): ReadableSpan => spans.find(span => span.name === name)!
    return { answer, traceId, root, names, named }
  }
  const parentOf = (span: ReadableSpan) => span.parentSpanContext?.spanId
  const EXECUTED = ['GET /api/public/v1/reports/:code', 'encode', 'execution receipts']
  const MISS = [...EXECUTED, 'key look-up', 'queue']

  it('has the stages of a miss as children, in time', async () => {
    const { root, names, named, answer } = await trace(coldPath('receipts', 1))
    expect(names).to.deep.equal(MISS)
    const execution = named('execution receipts')
    for (const span of [named('key look-up'), named('queue'), execution]) {
      expect(parentOf(span)).to.equal(root.spanContext().spanId)
    }
    expect(parentOf(named('encode'))).to.equal(execution.spanContext().spanId)
    expect(parentOf(root)).to.equal(undefined)
    for (const span of [named('key look-up'), named('queue'), execution, named('encode')]) {
      expect(ms(span.startTime), span.name).to.be.within(ms(root.startTime) - 1, ms(span.endTime))
    }
    expect(root.kind).to.equal(api.SpanKind.SERVER)
    expect(root.attributes).to.include({
      'http.request.method': 'GET',
      'http.route': '/api/public/v1/reports/:code',
      'http.response.status_code': 200,
      'svodka.report': 'receipts',
      'svodka.cache': 'miss',
      'svodka.request_id': answer.headers.get('X-Request-Id'),
    })
    expect(execution.kind).to.equal(api.SpanKind.CLIENT)
    expect(execution.attributes).to.include({
      'db.system.name': 'postgresql',
      'db.query.summary': 'SELECT receipts',
      'server.address': '127.0.0.1',
    })
    expect(execution.attributes['svodka.backend_pid']).to.be.above(0)
  })

  it('of a hit on the fast path has the key look-up', async () => {
    await traced.ask(coldPath('receipts', 1))
    const { names, root } = await trace(coldPath('receipts', 1))
    expect(names).to.deep.equal(['GET /api/public/v1/reports/:code', 'key look-up'])
    expect(root.attributes).to.include({ 'svodka.cache': 'hit' })
  })

  it('of a streamed report ends with its last byte', async () => {
    const { root, named, answer } = await trace('/reports/register.csv', {
      'Accept-Encoding': 'identity',
    })
    expect(answer.headers.get('Content-Length')).to.equal(null)
    expect(root.attributes['http.response.body.size']).to.equal(Buffer.byteLength(answer.text))
    expect(named('encode')).to.not.equal(undefined)
  })

  it('continues that of the client, whose id is in the log line', async () => {
    const traceparent = `00-${TRACE}-${PARENT}-01`
    const { traceId, root } = await trace('/ping', { traceparent })
    expect([traceId, parentOf(root)]).to.deep.equal([TRACE, PARENT])
    const log = capture({ requests: 'all' })
    for (const fact of traced.gateway.observations) log.observe(fact)
    expect(log.lines().filter(line => line['traceId'] === TRACE)).to.have.lengthOf(1)
  })

  for (const [name, traceparent] of [
    ['malformed', `00-${TRACE}-${PARENT}`],
    ['of zeros', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['of the version ff', `ff-${TRACE}-${PARENT}-01`],
    ['repeated', `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`],
    ['with markup', `00-${TRACE}<script>-${PARENT}-01`],
    ['of 12 KB', `00-${TRACE.repeat(375)}-${PARENT}-01`],
  ] as const) {
    it(`ignores a traceparent that is ${name}`, async () => {
      const { traceId, root } = await trace('/ping', { traceparent })
      expect(traceId)
        .to.match(/^[0-9a-f]{32}$/)
        .and.not.equal(TRACE)
      expect(parentOf(root)).to.equal(undefined)
    })
  }

  it('of a problem is no error below 500, and has no key look-up without a key', async () => {
    const { root, names } = await trace('/reports/none-of-these?from=2026-02-30')
    expect(root.status.code).to.equal(api.SpanStatusCode.UNSET)
    expect(root.attributes['svodka.problem']).to.equal('report_not_found')
    expect(names).to.deep.equal(['GET /api/public/v1/reports/:code', 'key look-up'].toSorted())
  })

  it('of a failed execution is an error with its SQLSTATE, and without its text', async () => {
    const { root, named } = await trace('/reports/division')
    expect(root.status).to.deep.equal({ code: api.SpanStatusCode.ERROR })
    expect(root.attributes['error.type']).to.equal('internal_error')
    expect(named('execution division').attributes).to.include({
      'error.type': 'error',
      'db.response.status_code': '22012',
    })
  })

  it('has no key, query string or error text', () => {
    const all = exporter.getFinishedSpans()
    const text = JSON.stringify(all.map(one => [one.name, one.attributes, one.status, one.events]))
    expect(text).to.not.match(/key of shop|from=|by zero/)
  })
})

describe('a statement of a definition', () => {
  const world = shopsGateway()

  it('begins with a comment that is equal for all requests, and its backend is in the log', async () => {
    const asked = [1, 2].map(day => world.ask(coldPath('sleeps', day)))
    const active = `select pid, query from pg_stat_activity where query ~ '^/.definition='`
    let rows: Array<{ readonly pid: number; readonly query: string }> = []
    await until(async () => {
      rows = await run(world.shops.replicaUrl, active)
      return rows.length === 2
    })
    await Promise.all(asked)
    expect(rows[0]!.query).to.match(/^\/\*definition='sleeps',version='[0-9a-f]{16}'\*\/ /)
    expect(rows[0]!.query).to.equal(rows[1]!.query)
    const log = capture()
    for (const fact of world.gateway.observations) log.observe(fact)
    const lines = log.lines().filter(line => line['report'] === 'sleeps')
    expect(lines.flatMap(line => line['backendPids'])).to.have.members(rows.map(({ pid }) => pid))
    expect(lines.map(line => line['clientAddress'])).to.deep.equal(['127.0.0.1', '127.0.0.1'])
  })
})

function ms([seconds, nanoseconds]: api.HrTime): number {
  return seconds * 1000 + nanoseconds / 1e6
}
