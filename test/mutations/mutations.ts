/**
 * Changes of the source that break what a client, an SRE or an author relies on. `main.ts` applies them one by one, and
 * runs the tests that should notice. If a change of the code outdates a text, the mutation gets another one.
 *
 * measured: on 2026-11-25 at dc81a75, with 45,700 lines of tests, 40 of 42 were noticed, not etag-of-length and
 * secret-in-log; with 40,900 lines all are.
 */

export interface Mutation {
  readonly id: string
  /** What breaks. */
  readonly breaks: string
  /** A file of `src`, in which the text occurs once. */
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Files or folders of `test`, as for ONLY; the first that fails has noticed. */
  readonly tests: readonly string[]
  /** The one of `tests` that noticed when it was last measured; null if none did. */
  readonly noticedBy: string | null
}

const LOOK_UP = `    lookup.find(
      key.hash,
      organization => done(state.response.closed ? undefined : accept(state, organization)),`

/** Look-ups that remember the organization of a key. @param isUsed when it is used without another look-up */
const remembered = (isUsed: string): string => `    const found = (lookup.found ??= new Map())
    if (${isUsed} && found.has(key.hash)) return done(accept(state, found.get(key.hash)))
    lookup.find(
      key.hash,
      organization => {
        if (organization) found.set(key.hash, organization)
        done(state.response.closed ? undefined : accept(state, organization))
      },`

export const MUTATIONS: readonly Mutation[] = [
  {
    id: 'revoked-key',
    breaks: 'a revoked key still gets responses',
    file: 'serve/http/authenticate.ts',
    find: LOOK_UP,
    replace: remembered('true'),
    tests: ['contract/revocation', 'contract/access'],
    noticedBy: 'contract/revocation',
  },
  {
    id: 'revoked-key-304',
    breaks: 'a revoked key still gets 304',
    file: 'serve/http/authenticate.ts',
    find: LOOK_UP,
    replace: remembered(`state.request.headers['if-none-match'] !== undefined`),
    tests: ['contract/revocation', 'contract/access', 'fast-path'],
    noticedBy: 'fast-path',
  },
  {
    id: 'other-organization',
    breaks: "a report has another organization's rows",
    file: 'serve/body/report-request.ts',
    find: 'organizationId: request.organization.id,\n    period',
    replace: 'organizationId: (process.firstId ??= request.organization.id),\n    period',
    tests: ['contract/caching'],
    noticedBy: 'contract/caching',
  },
  {
    id: 'no-challenge',
    breaks: '401 has no WWW-Authenticate, so that Excel and browsers do not ask for the key',
    file: 'serve/http/problem.ts',
    find: 'if (response.statusCode === 401)',
    replace: 'if (response.statusCode === 407)',
    tests: ['contract/access'],
    noticedBy: 'contract/access',
  },
  {
    id: 'method-before-path',
    breaks: 'the method is checked before the path',
    file: 'serve/http/api.ts',
    find: "router.all('/reports/:code', findReport, onlyRead,",
    replace: "router.all('/reports/:code', onlyRead, findReport,",
    tests: [
      'contract/order-of-checks',
      'contract/problems',
      'contract/request-targets',
      'fast-path',
    ],
    noticedBy: 'contract/problems',
  },
  {
    id: 'unknown-parameter',
    breaks: 'a misspelt parameter is ignored: the figures are of another period',
    file: 'serve/http/read-parameters.ts',
    find: 'if (!isIgnored(name)) throw unknownParameter(name, known)',
    replace: '',
    tests: ['contract/report', 'contract/order-of-checks'],
    noticedBy: 'contract/report',
  },
  {
    id: 'period-end',
    breaks: 'the last day of a period is missing',
    file: 'definitions/period.ts',
    find: 'end: addDays(to, 1)',
    replace: 'end: to',
    tests: ['definitions/period'],
    noticedBy: 'definitions/period',
  },
  {
    id: 'stale-beyond-limit',
    breaks: 'a stale response is served twice as long as the definition allows',
    file: 'serve/cache/cache.ts',
    find: 'const staleUntil = startedAt + staleSeconds * 1000',
    replace: 'const staleUntil = startedAt + staleSeconds * 2000',
    tests: ['cache', 'contract/failures'],
    noticedBy: 'cache',
  },
  {
    id: 'key-without-organization',
    breaks: 'two organizations share cached responses',
    file: 'serve/body/report-request.ts',
    find: 'organization.id,\n    definition.name,',
    replace: 'definition.name,',
    tests: ['contract/caching'],
    noticedBy: 'contract/caching',
  },
  {
    id: 'key-without-zone',
    breaks: 'a response is of the time zone that the organization had before',
    file: 'serve/body/report-request.ts',
    find: 'organization.timeZone,\n    format,',
    replace: 'format,',
    tests: ['contract/caching'],
    noticedBy: 'contract/caching',
  },
  {
    id: 'key-without-format',
    breaks: 'a request for CSV gets the cached JSON',
    file: 'serve/body/report-request.ts',
    find: 'organization.timeZone,\n    format,',
    replace: 'organization.timeZone,',
    tests: ['contract/formats', 'contract/formats-agree'],
    noticedBy: 'contract/formats',
  },
  {
    id: 'etag-of-length',
    breaks: 'a body of the same length and other figures has the same ETag',
    file: 'serve/body/etag.ts',
    find: 'update(bytes)',
    replace: 'update(String(bytes.length))',
    tests: ['contract/caching', 'contract', 'fast-path', 'clients'],
    noticedBy: 'contract/caching',
  },
  {
    id: 'no-single-flight',
    breaks: 'each of many identical requests is executed',
    file: 'serve/cache/single-flight.ts',
    find: 'const joined = newOnly ? current?.next : current',
    replace: 'const joined = undefined',
    tests: ['contract/caching'],
    noticedBy: 'contract/caching',
  },
  {
    id: 'no-row-limit',
    breaks: 'a report may have more rows than its definition allows',
    file: 'serve/body/too-large.ts',
    find: ': { maxRows, problem: () => tooManyRows(maxRows) }',
    replace: ': { maxRows: Infinity, problem: () => tooManyRows(maxRows) }',
    tests: ['contract/too-large'],
    noticedBy: 'contract/too-large',
  },
  {
    id: 'clean-end-of-failure',
    breaks: 'a body that failed after its first byte ends as if it were complete',
    file: 'serve/http/send-response.ts',
    find: 'error instanceof Problem ? error.cause : error\n    res.destroy()',
    replace: 'error instanceof Problem ? error.cause : error\n    res.end()',
    tests: ['contract/too-large', 'contract/broken-streams', 'contract/streaming'],
    noticedBy: 'contract/broken-streams',
  },
  {
    id: 'split-rows-lost',
    breaks: 'a row that arrives in two packets is missing',
    file: 'serve/replica/data-row-tap.ts',
    find: 'deliver(Buffer.from(partial.subarray(0, length)))',
    replace: 'if (partial[0] !== DATA_ROW) deliver(Buffer.from(partial.subarray(0, length)))',
    tests: ['contract/split-rows', 'replica/row-bytes'],
    noticedBy: 'contract/split-rows',
  },
  {
    id: 'length-of-gzip',
    breaks: 'a compressed hit announces one byte more than it has',
    file: 'serve/fast-path/cached-head.ts',
    find: 'String(bytes.length)]',
    replace: "String(bytes.length + (head.coding === 'identity' ? 0 : 1))]",
    tests: ['contract/bodies', 'fast-path'],
    noticedBy: 'contract/bodies',
  },
  {
    id: 'primary-accepted',
    breaks: 'a primary executes reports although ALLOW_PRIMARY is not set',
    file: 'serve/gateway.ts',
    find: 'const { connectTimeoutMs, allowPrimary } = config',
    replace: 'const { connectTimeoutMs } = config\n  const allowPrimary = true',
    tests: ['replica/read-only', 'contract/replicas', 'commands/check-config', 'commands/serve'],
    noticedBy: 'commands/serve',
  },
  {
    id: 'lag-of-received-wal',
    breaks: 'a standby that has received WAL and does not replay it seems to be fresh',
    file: 'serve/replica/lag-bound.ts',
    find: 'messages.findLastIndex(({ end }) => end <= replayed)',
    replace: 'messages.length - 1',
    tests: ['replica/lag-bound', 'contract/revocation'],
    noticedBy: 'replica/lag-bound',
  },
  {
    id: 'retry-without-memory',
    breaks:
      'a statement that found no memory, disk space or lock is executed again, which makes it worse',
    file: 'serve/replica/classify-error.ts',
    find: "'replica_unavailable', 'none']",
    replace: "'replica_unavailable', 'conflict']",
    tests: ['contract/failures', 'replica/attempts'],
    noticedBy: 'replica/attempts',
  },
  {
    id: 'no-cancel',
    breaks: 'an execution without clients is not cancelled',
    file: 'serve/replica/cancel.ts',
    find: 'connection.cancel(processID, secretKey)',
    replace: 'connection.end()',
    tests: ['replica/cancel', 'contract/aborts', 'contract/caching'],
    noticedBy: 'replica/cancel',
  },
  {
    id: 'unfair-admission',
    breaks: 'an organization with many requests delays those of others',
    file: 'serve/replica/fair-queue.ts',
    find: 'if (load.creditMs > 0) {',
    replace: 'if (true) {',
    tests: ['replica/admission-queue', 'contract/limits'],
    noticedBy: 'replica/admission-queue',
  },
  {
    id: 'no-queue-timeout',
    breaks: 'a request waits for a connection longer than QUEUE_TIMEOUT',
    file: 'serve/replica/admission-queue.ts',
    find: 'cancelTimeout = schedule(queueTimeoutMs, () => end(timedOut(load, entry)))',
    replace: '',
    tests: ['contract/failures', 'replica/admission-queue'],
    noticedBy: 'contract/failures',
  },
  {
    id: 'no-retry-after',
    breaks: '429 and 503 have no Retry-After',
    file: 'serve/http/problem.ts',
    find: 'if (retryAfterSeconds !== undefined) response',
    replace: 'if (false) response',
    tests: ['contract/failures', 'contract/limits'],
    noticedBy: 'contract/failures',
  },
  {
    id: 'null-is-zero',
    breaks: 'an unknown value is 0 in JSON',
    file: 'serve/formats/json/json.ts',
    find: 'pieceOf(`${name}null`)',
    replace: 'pieceOf(`${name}0`)',
    tests: ['contract/report', 'formats/json'],
    noticedBy: 'contract/report',
  },
  {
    id: 'money-through-floats',
    breaks: 'large amounts are rounded',
    file: 'serve/formats/plain-field.ts',
    find: "case 'money':\n      return writeInteger",
    replace: `case 'money':
      return ({ bytes }, start, end, { bytes: to }, at) =>
        at + to.write(String(Number(bytes.toString('latin1', start, end))), at)`,
    tests: ['formats/json', 'formats/values'],
    noticedBy: 'formats/json',
  },
  {
    id: 'json-controls',
    breaks: 'JSON with a line break in a text cannot be parsed',
    file: 'serve/formats/json/json-field.ts',
    find: 'const escaped = byte < 0x80 ?',
    replace: 'const escaped = byte > 0x1f && byte < 0x80 ?',
    tests: ['formats/json'],
    noticedBy: 'formats/json',
  },
  {
    id: 'csv-commas',
    breaks: 'a text with a comma becomes two fields of CSV',
    file: 'serve/formats/csv/text.ts',
    find: '((commas - ONES) & ~commas) |',
    replace: '',
    tests: ['formats/csv'],
    noticedBy: 'formats/csv',
  },
  {
    id: 'xlsx-dates',
    breaks: 'dates in a workbook are a day late',
    file: 'serve/formats/xlsx/numbers.ts',
    find: 'month, day) + UNIX_DAY',
    replace: 'month, day) + UNIX_DAY + 1',
    tests: ['formats/xlsx'],
    noticedBy: 'formats/xlsx',
  },
  {
    id: 'parquet-scale',
    breaks: 'decimals in Parquet are a tenth of their value',
    file: 'serve/formats/parquet/physical-value.ts',
    find: 'Math.max(0, end - point - 1))]!',
    replace: 'Math.max(0, end - point))]!',
    tests: ['formats/parquet'],
    noticedBy: 'formats/parquet',
  },
  {
    id: 'totals-of-first-row',
    breaks: 'totals are those of the first row',
    file: 'serve/body/encode.ts',
    find: 'rowCount += 1\n      if',
    replace: `rowCount += 1
      if (rowCount === 1)
        totals = new Map(layout.summary.map(([name, index]) => [name, rawField(row, index)]))
      if`,
    tests: ['contract/report'],
    noticedBy: 'contract/report',
  },
  {
    id: 'sentence-without-sign',
    breaks: 'the sentence of a report calls a loss a profit',
    file: 'definitions/summary-arguments.ts',
    find: ': fields.get(name)\n',
    replace: ": fields.get(name)?.replace('-', '')\n",
    tests: ['definitions/summary'],
    noticedBy: 'definitions/summary',
  },
  {
    id: 'ready-while-draining',
    breaks:
      'a stopping gateway is ready, so that the load balancer sends requests until its port closes',
    file: 'serve/gateway.ts',
    find: 'drain() {\n      draining = true',
    replace: 'drain() {',
    tests: ['commands/serve'],
    noticedBy: 'commands/serve',
  },
  {
    id: 'counter-of-misses',
    breaks: 'hits are missing in svodka_cache_requests_total',
    file: 'serve/observability/request-metrics.ts',
    find: 'request: ({ cache }, add) => cache && add(1, cache)',
    replace: "request: ({ cache }, add) => cache === 'miss' && add(1, cache)",
    tests: ['observability/requests', 'observability/exposition'],
    noticedBy: 'observability/requests',
  },
  {
    id: 'secret-in-log',
    breaks: 'the log shows a password',
    file: 'serve/observability/log.ts',
    find: 'lines.write(removeSecrets(line))',
    replace: 'lines.write(line)',
    tests: ['observability/error-fields'],
    noticedBy: 'observability/error-fields',
  },
  {
    id: 'misspelt-setting',
    breaks: 'a misspelt setting is ignored without a word',
    file: 'config/read-config.ts',
    find: '[...misspellings, ...findLowFileLimit(config)]',
    replace: 'findLowFileLimit(config)',
    tests: ['config/read-config', 'commands/check-config'],
    noticedBy: 'config/read-config',
  },
  {
    id: 'setting-out-of-bounds',
    breaks: 'a setting out of its bounds is used',
    file: 'config/kinds.ts',
    find: 'return within(value, setting.minimum, setting.maximum)',
    replace: 'return value',
    tests: ['config'],
    noticedBy: 'config',
  },
  {
    id: 'two-statements',
    breaks: 'a definition of two statements loads, and the second is executed, too',
    file: 'definitions/rules/single-select.ts',
    find: 'second === undefined\n',
    replace: 'true\n',
    tests: ['definitions/rules'],
    noticedBy: 'definitions/rules',
  },
  {
    id: 'sleeping-function',
    breaks: 'a definition may call pg_sleep',
    file: 'definitions/rejected-functions.ts',
    find: "names: ['pg_sleep*'],",
    replace: 'names: [],',
    tests: ['definitions/rejected-functions'],
    noticedBy: 'definitions/rejected-functions',
  },
  {
    id: 'silent-check',
    breaks: '`check` does not report a table without the condition on its organization',
    file: 'author/tenancy/tenant-isolation.ts',
    find: 'else loose.push(read)',
    replace: '',
    tests: ['tenancy/tenant-isolation'],
    noticedBy: 'tenancy/tenant-isolation',
  },
  {
    id: 'loader-skips-month',
    breaks: "the kit's loader does not load the first month",
    file: 'kit/python.py',
    find: 'for first, last in months():',
    replace: 'for first, last in list(months())[1:]:',
    tests: ['kit/python'],
    noticedBy: 'kit/python',
  },
  {
    id: 'page-totals',
    breaks: 'the page shows the first row as totals',
    file: 'serve/explorer/page/report-table.ts',
    find: 'isAll ? rows.end?.totals :',
    replace: 'isAll ? rows.rows[0] :',
    tests: ['explorer/page'],
    noticedBy: 'explorer/page',
  },
]
