/**
 * Spans of requests, made from observations. The SDK is the operator's: it registers itself with
 * `node --import`; this file uses OpenTelemetry's API alone. No span has a URL, a header, a key or an error text.
 */
import type * as OpenTelemetry from '@opentelemetry/api'
import type { Attributes, HrTime, Span, Tracer } from '@opentelemetry/api'
import type {
  BeginTrace,
  Observation,
  Observe,
  RequestTrace,
  Route,
} from '../../model/observation.ts'
import type { Clock, Milliseconds } from '../../model/terms.ts'
import { PREFIX } from '../../model/api-prefix.ts'

type Fact<Kind extends Observation['kind']> = Extract<Observation, { kind: Kind }>

export interface Tracing {
  readonly beginTrace: BeginTrace
  readonly observe: Observe
  /** Whether an SDK was registered before. */
  readonly hasSdk: boolean
}

interface SpanOptions {
  readonly attributes?: Attributes
  /** A request to another server. */
  readonly isClient?: boolean
  readonly error?: string
}

interface Trace extends RequestTrace {
  readonly span: Span
}

/** `http.route`; others have none. */
const ROUTES: Readonly<Partial<Record<Route, string>>> = {
  ping: `${PREFIX}/ping`,
  reports: `${PREFIX}/reports`,
  report: `${PREFIX}/reports/:code`,
  metrics: `${PREFIX}/metrics`,
}

/** Other methods are `_OTHER`, so that clients cannot add values. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])

/** @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/ and .../database/postgresql/ */
export function createTracing(api: typeof OpenTelemetry, now: Clock): Tracing {
  const { propagation, trace, ROOT_CONTEXT, SpanKind, SpanStatusCode } = api
  const tracer = trace.getTracer('svodka')

  function addSpan(
    parent: Span,
    name: string,
    [from, to]: readonly [Milliseconds, Milliseconds],
    options: SpanOptions = {},
  ): Span {
    const { attributes = {}, isClient = false, error } = options
    const kind = isClient ? SpanKind.CLIENT : SpanKind.INTERNAL
    const settings = { kind, startTime: hrTime(from), attributes }
    const span = tracer.startSpan(name, settings, trace.setSpan(ROOT_CONTEXT, parent))
    if (error !== undefined) fail(span, error)
    span.end(hrTime(to))
    return span
  }

  function fail(span: Span, type: string): void {
    span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
  }

  function addExecution({ span }: Trace, fact: Fact<'execution'>): void {
    const { queueMs, durationMs, resultAfterMs, outcome, definition } = fact
    const end = now()
    const start = end - (durationMs ?? 0)
    addSpan(span, 'queue', [start - queueMs, start])
    if (durationMs === undefined) return
    const execution = addSpan(span, `execution ${definition}`, [start, end], {
      isClient: true,
      attributes: executionAttributes(fact),
      ...(outcome === 'ok' || outcome === 'cancelled' ? {} : { error: outcome }),
    })
    // why: rows are encoded while the server sends them
    if (resultAfterMs !== undefined) addSpan(execution, 'encode', [start + resultAfterMs, end])
  }

  function endRequest({ span }: Trace, fact: Fact<'request'>): void {
    const { status, durationMs, problem, aborted, timings = [] } = fact
    const end = now()
    const keyMs = timings.find(([stage]) => stage === 'auth')?.[1]
    if (keyMs !== undefined) {
      addSpan(span, 'key look-up', [end - durationMs, end - durationMs + keyMs])
    }
    const method = METHODS.has(fact.method) ? fact.method : '_OTHER'
    const route = ROUTES[fact.route]
    span.updateName(route === undefined ? method : `${method} ${route}`)
    span.setAttributes({ 'http.request.method': method, ...requestAttributes(fact, route) })
    // why: after a status of 200, the connection is reset
    if (status >= 500 || (aborted && problem !== undefined)) fail(span, problem ?? String(status))
    span.end(hrTime(end))
  }

  return {
    hasSdk: isRegistered(api, tracer),
    beginTrace({ traceparent, tracestate }, startedAt) {
      const parent = propagation.extract(ROOT_CONTEXT, { traceparent, tracestate })
      const startTime = hrTime(startedAt)
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER, startTime }, parent)
      const context = span.spanContext()
      if (!api.isSpanContextValid(context)) return undefined
      const { traceId, spanId, traceFlags } = context
      const flags = traceFlags.toString(16).padStart(2, '0')
      return { traceId, traceresponse: `00-${traceId}-${spanId}-${flags}`, span } as Trace
    },
    observe(fact) {
      if (fact.kind !== 'execution' && fact.kind !== 'request') return
      const begun = fact.origin?.trace as Trace | undefined
      if (begun === undefined) return
      if (fact.kind === 'execution') addExecution(begun, fact)
      else endRequest(begun, fact)
    },
  }
}

function executionAttributes(fact: Fact<'execution'>): Attributes {
  const [, host, port] = /^(.*):(\d+)$/.exec(fact.replica ?? '') ?? []
  const { code } = (fact.error ?? {}) as { readonly code?: unknown }
  return {
    'db.system.name': 'postgresql',
    'db.operation.name': 'SELECT',
    'db.query.summary': `SELECT ${fact.definition}`,
    'db.response.returned_rows': fact.rowCount,
    ...(typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
      ? { 'db.response.status_code': code }
      : {}),
    ...(host === undefined ? {} : { 'server.address': host, 'server.port': Number(port) }),
    ...(fact.backendPid === undefined ? {} : { 'svodka.backend_pid': fact.backendPid }),
    'svodka.outcome': fact.outcome,
    'svodka.plan': fact.plan,
  }
}

/** Undefined values are omitted by the SDK. */
function requestAttributes(fact: Fact<'request'>, route: string | undefined): Attributes {
  return {
    'http.route': route,
    'http.response.status_code': fact.status,
    'http.response.body.size': fact.sentBytes,
    'svodka.request_id': fact.requestId,
    'svodka.organization_id': fact.organizationId,
    'svodka.report': fact.report,
    'svodka.cache': fact.cache,
    'svodka.problem': fact.problem,
  }
}

/** Without an SDK spans are invalid. A span that never ends is not exported. */
function isRegistered(api: typeof OpenTelemetry, tracer: Tracer): boolean {
  return api.isSpanContextValid(tracer.startSpan('start', {}, api.ROOT_CONTEXT).spanContext())
}

/** why: OpenTelemetry takes a small number for an offset to the start of the process */
function hrTime(at: Milliseconds): HrTime {
  const seconds = Math.floor(at / 1000)
  return [seconds, Math.floor((at - seconds * 1000) * 1e6)]
}
