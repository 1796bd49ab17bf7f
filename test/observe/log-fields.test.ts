import { expect } from 'chai'
import type { Fact, Observation } from '../../src/model/observation.ts'
import { createClientAddressOf } from '../../src/serve/observe/request-lines.ts'
import { capture, documentedFields, failure, problem, request, run } from './observed.ts'

type Kind = Observation['kind']

const error = failure('x', { code: '57P01' })
const replica = 'one:5432'
const origin = { requestId: 'r-1' }
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const state = { inRecovery: true, usable: true, replayPaused: true }
const access = { file: 'a.sql', line: 1, error }

/** Observations of every kind, with all fields that reach a log line. */
const FACTS: { readonly [K in Kind]: ReadonlyArray<Omit<Fact<K>, 'kind'>> } = {
  'connection-acquired': [{ pool: 'reports', durationMs: 1, origin, backendPid: 7 }],
  request: [
    request({
      cache: 'miss',
      format: 'csv',
      durationMs: 2000,
      origin,
      peerAddress: '10.0.0.1',
      traceparent,
      values: new Map([['kind', 'income']]),
    }),
    problem(429, 'rate_limited', { refusal: 'waiting', retryAfterSeconds: 3, cause: error }),
    problem(500, 'internal_error', { aborted: true, cause: error }),
    problem(500, 'internal_error', { aborted: true, cause: error }),
  ],
  'connection-closed': [{ reason: 'limit' }],
  'key-checked': [{ outcome: 'valid' }],
  'key-lookup': [
    { keyCount: 1, durationMs: 1, error },
    { keyCount: 1, durationMs: 1, error: undefined },
  ],
  'access-row-rejected': [{ organizationId: 'o', error }],
  'time-zone-differs': [
    { timeZone: 'CET', at: '2026-01-01T00:00:00Z', databaseMinutes: 1, runtimeMinutes: 2 },
  ],
  execution: [
    run({ origin, backendPid: 7, replica, resultAfterMs: 1 }),
    run({ outcome: 'error', error }),
  ],
  'execution-retried': [{ definition: 'd', reason: 'transport', error, replica, origin }],
  'execution-spared': [{ definition: 'd' }],
  'values-nulled': [{ definition: 'd', column: 'c', valueCount: 1 }],
  'currencies-unknown': [{ definition: 'd', column: 'c', valueCount: 1 }],
  'definition-refused': [{ definition: 'd', ...access }],
  'definitions-reloaded': [
    { findings: [{ file: 'a.sql', line: 1, message: 'x' }], added: [], changed: [], removed: [] },
    {
      findings: [],
      added: ['a.sql'],
      changed: ['b.sql'],
      removed: ['c.sql'],
    },
  ],
  'reload-waits': [{}],
  'access-degraded': [{ ...access }],
  'cache-evicted': [{ reason: 'space' }],
  'pooler-detected': [{ pool: 'keys' }],
  'write-privileges': [{ found: 'x', replica }],
  'server-certificate': [{ pool: 'keys', expiresAt: '2027-01-01T00:00:00Z', replica }],
  'connection-lost': [{ pool: 'keys', error, replica }],
  'replica-probed': [
    { replica, state: { ...state, dataAsOf: '2026-01-01T00:00:00Z', lagSeconds: 1 } },
  ],
  'replica-probe-failed': [{ error, replica }],
  circuit: [{ replica, isOpen: true, error }],
  'definition-note': [{ file: 'a.sql', line: 1, message: 'x' }],
  'definitions-loaded': [{ reportCount: 1, metricCount: 1, durationMs: 1 }],
  listening: [{ server: 'api', host: '::1', port: 1 }],
  draining: [{ signal: 'SIGTERM', delayMs: 1 }],
  stopped: [{ durationMs: 1 }],
  'process-error': [{ error }],
  'log-line-dropped': [{}],
}

describe('the fields of log lines', () => {
  it('are exactly those of config/README.md', () => {
    const written = new Set<string>()
    for (const level of ['info', 'debug'] as const) {
      const log = capture({ level })
      for (const [kind, facts] of Object.entries(FACTS))
        for (const fact of facts) log.observe({ ...fact, kind } as Observation)
      log.flush()
      for (const line of log.lines()) Object.keys(line).forEach(field => written.add(field))
    }
    const documented = documentedFields()
    expect(new Set(documented)).to.deep.equal(written)
    expect(documented).to.have.lengthOf(written.size)
  })

  it('join a request with its backends, also if its id is used by another request', () => {
    const log = capture()
    for (const backendPid of [7, 7, 9]) {
      const acquired = { kind: 'connection-acquired', pool: 'reports', durationMs: 1 } as const
      log.observe({ ...acquired, origin, backendPid })
    }
    log.observe(request({ cache: 'miss', origin: { requestId: 'r-1' } }))
    log.observe(request({ cache: 'miss', origin }))
    log.observe(run({ outcome: 'timeout', origin, backendPid: 9 }))
    expect(log.lines().map(line => [line['requestId'], line['backendPids']])).to.deep.equal([
      ['r-1', undefined],
      ['r-1', [7, 9]],
      ['r-1', undefined],
    ])
    expect(log.lines()[2]).to.include({ backendPid: 9 }).and.not.have.property('origin')
  })
})

describe('the client address', () => {
  const read = createClientAddressOf(['10.0.0.0/8', '2001:db8::1'])
  for (const [name, peer, header, expected] of [
    ['is the peer without a header', '10.0.0.1', undefined, '10.0.0.1'],
    ['is the peer that is no proxy, whatever it sends', '192.0.2.1', '1.1.1.1', '192.0.2.1'],
    ['is the entry of a proxy', '10.0.0.1', '1.1.1.1', '1.1.1.1'],
    ['is not what the client wrote before it', '10.0.0.1', '6.6.6.6, 1.1.1.1', '1.1.1.1'],
    ['is the first that is no proxy', '10.0.0.1', '6.6.6.6, 1.1.1.1, 10.0.0.2', '1.1.1.1'],
    ['is the first of all proxies', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['is IPv6', '2001:db8::1', '2001:db8::7', '2001:db8::7'],
    ['is IPv4 on an IPv6 socket', '::ffff:10.0.0.1', '::ffff:1.1.1.1', '1.1.1.1'],
    ['is the proxy before what is no address', '10.0.0.1', '1.1.1.1, "x"\u0001', '10.0.0.1'],
    ['has no port', '10.0.0.1', '1.1.1.1:50123, 10.0.0.2:443', '1.1.1.1'],
    ['has no brackets', '10.0.0.1', '[2001:db8::7]', '2001:db8::7'],
    [
      'has neither brackets nor port',
      '10.0.0.1',
      '[2001:db8::7]:443,[2001:db8::1]:80',
      '2001:db8::7',
    ],
    ['ignores an empty entry', '10.0.0.1', '1.1.1.1, ', '1.1.1.1'],
    ['is unknown of a closed socket', undefined, '1.1.1.1', undefined],
  ] as const) {
    it(name, () => expect(read(peer, header)).to.equal(expected))
  }

  it('is the peer if no proxy is trusted', () => {
    expect(createClientAddressOf([])('10.0.0.1', '1.1.1.1')).to.equal('10.0.0.1')
  })
})
