/** Problems in English, which the log has, too. */
import type { RU_PROBLEMS } from '../ru/problems.ts'

export const EN_PROBLEMS: typeof RU_PROBLEMS = {
  titles: {
    api_key_required: 'An API key is required',
    api_key_invalid: 'The API key is not valid',
    module_locked: 'The {tier} tier is required',
    not_found: 'There is no such path',
    report_not_found: 'There is no such report',
    metric_not_found: 'There is no such metric',
    report_not_allowed: 'The key may not read this',
    method_not_allowed: 'The method is not allowed',
    bad_range: 'The period is not valid',
    bad_format: 'There is no such format',
    result_too_large: 'The result is too large',
    bad_request: 'The request is malformed',
    request_timeout: 'The request took too long to arrive',
    range_not_satisfiable: 'The response has no such bytes',
    precondition_failed: 'The response has changed',
    precondition_required: 'If-Match is required',
    rate_limited: 'Too many requests',
    headers_too_large: 'The request headers are too large',
    internal_error: 'Internal error',
    access_unavailable: 'The key cannot be checked now',
    overloaded: 'The service is overloaded',
    replica_unavailable: 'The data are not available now',
    report_timeout: 'The report ran out of its time',
  },
  phrases: { tier: 'Business', belowTier: 'below Business', atKeys: 'in your web account' },
  ownPhrases: { belowTier: 'below {tier}', atKeys: 'in {keys}' },
  internalError: 'The fault is ours. Please send us the requestId of this response.',
  keyRequired:
    'Send the key in the header Authorization: Bearer <key> or X-Api-Key: <key>. A key in the URL is ignored.',
  keyInvalid: 'The key is unknown or revoked. Create another one {atKeys}.',
  moduleLocked: "Your organization's tier is {belowTier}. Upgrade it to use the API.",
  keyDatabaseSilent: 'The key database does not respond now. Try again later.',
  wrongAccessRow: 'The record of your organization has an error on our side. Try again later.',
  tooManyKeys: 'Too many keys are waiting to be checked. Try again later.',
  tooManyRequests: max =>
    `At most ${max} requests of an organization are processed at once. Wait for responses and retry.`,
  stillLoading:
    'The response is still being made. Repeat the request: it will get this response as soon as it is ready.',
  headersTooLarge: (maxBytes, maxHeaders) =>
    `The target and headers of the request exceed ${maxBytes} bytes in total, or ${maxHeaders} headers.`,
  notHttp: 'The request is not valid HTTP/1.1, or its target is neither a path nor an http URL.',
  methodNotAllowed: method =>
    `The method ${method} is not allowed: the data can only be read, by GET and HEAD.`,
  otherVersion:
    'If-Match has another version of the response than the current one, or a weak tag. Download it again, without Range and If-Match.',
  versionRequired:
    'The resumed download does not name a version of the response. Send the ETag of the first part in If-Match, or download the response again, without Range.',
  noSuchBytes: (length, range) =>
    `The response has ${length} bytes, Range requests ${range}. Request the whole response.`,
  fromAfterTo: (from, to, isFromGiven, isToGiven) =>
    `${isFromGiven ? '' : 'the default '}from (${from}) is after ${isToGiven ? '' : 'the default '}to (${to}); expected from on or before to.`,
  wrongDate: (name, found) =>
    `Parameter ${name} ${found ? `is "${found}"` : 'is empty'}; expected a date such as 2026-01-31 or 2026-01-31T00:00:00Z.`,
  dateOutOfRange: (name, found) =>
    `Parameter ${name} is ${found}, outside the years 1900-2999; expected a date such as 2026-01-31 or 2026-01-31T00:00:00Z.`,
  wrongValue: (name, title, found, expected) =>
    `Parameter ${name} ("${title}") is ${found ? `"${found}"` : found === '' ? 'empty' : 'missing'}; expected ${expected}.`,
  aText: max => `a text of 1 to ${max} characters without control characters`,
  aWholeNumber: 'a whole number',
  anAmount: "an amount as a whole number of the currency's smallest unit",
  aNumber: maxDigits => `a decimal number of at most ${maxDigits} digits, with a point`,
  aDate: 'a date such as 2026-01-31',
  aBoolean: 'true or false',
  aUuid: 'a UUID such as 5d0a0000-0000-4000-8000-000000000001',
  fixedForKey: value => `${value}, as set for the key`,
  atLeast: minimum => `at least ${minimum}`,
  atMost: maximum => `at most ${maximum}`,
  oneOf: list => `one of ${list}`,
  queued:
    'Reports of your organization are already queued. Retry later, and send fewer requests at once.',
  overloaded: 'The service is overloaded. Try again later.',
  timedOut: 'The report did not finish within its timeout. Try a shorter period.',
  timedOutInMinutes: 'The report was not finished in five minutes. Request a shorter period.',
  noSpaceToExecute:
    'The report needs more memory or disk space than it may use. Try a shorter period.',
  dataChanged: 'The data changed while the report was being read. Retry.',
  noDatabase: 'The report database is unavailable. Try again later.',
  noRoom:
    'The response cannot be buffered now: other large responses are still being read. Finish reading them, then try again.',
  noDisk:
    'A large response cannot be stored now: a disk of the service has failed or is full. Retry later, or request a shorter period.',
  tooManyBytes: 'The response is too large. Request a shorter period.',
  tooManyRows: max => `The response has more than ${max} rows. Request a shorter period.`,
  tooManyRowsForExcel: max =>
    `The response has more than ${max} rows, which Excel cannot open. Request a shorter period, or another format: .csv without preset, .ndjson, .parquet.`,
  sheetTooLarge:
    'The Excel sheet would be larger than 4 GB. Request a shorter period, or the report as CSV.',
  cellTooLong: (title, length, max) =>
    `The column "${title}" has a value of ${length} characters, and an Excel cell at most ${max}. Request the report as CSV or JSON.`,
  notForParquet: (row, column, value, digits) =>
    `Row ${row}, column ${column}: ${value} does not fit into Parquet, which supports integers of 64 bits and numbers of ${digits} digits before the point. Request JSON or CSV.`,
  reportNotComparable: (code, maxRows) =>
    `The report ${code} cannot be compared. Reports can be compared that have at most ${maxRows} rows, a key, and measures that do not depend on the current day: the list compare in their schema is not empty.`,
  metricsNotComparable: codes =>
    `The metrics ${codes} cannot be compared: they depend on the current day. List others in codes.`,
  noSuchReport: (name, list, formats) =>
    `No report has the code "${name}". The list of reports: ${list}. A format may follow the code: ${formats}.`,
  noSuchMetrics: (list, moreCount) =>
    `Unknown metrics: ${list}${moreCount > 0 ? ` and ${moreCount} more` : ''}. Without the parameter codes, all are returned.`,
  tooManyCodes: max =>
    `codes names more than ${max} metrics. Without the parameter codes, all are returned.`,
  notAllowed: (codes, prefix) =>
    `This key may not read ${codes}. ${prefix}/reports and ${prefix}/metrics/schema list what it may read; another key is needed for the rest.`,
  notOfMetrics: (name, list) =>
    `These metrics have no parameter ${name}: ${list}. List those that have it in codes.`,
  tooManyChoices: max =>
    `The parameter has more than ${max} values, which are not listed. Send a value without the list.`,
  valuesFail: names =>
    `The report cannot be computed with these values: ${names}. It can without them. Send others.`,
  noSuchPath: prefix =>
    `There is no such path. There are ${prefix}/ping, /reports, /reports/:code, /reports/:code/schema, /reports/:code/parameters, /metrics, /metrics/schema and /openapi.json; case and a trailing slash are significant.`,
  tooManyParameters: max => `The request has more than ${max} parameters.`,
  wrongChoice: (name, found, expected) =>
    `Parameter ${name} ${found ? `is "${found}"` : 'is empty'}; expected one of ${expected}.`,
  repeatedParameter: name => `Parameter ${name} is given more than once; expected once.`,
  unknownParameter: (name, known, isPaging) =>
    `There is no parameter ${name}; expected ${known || 'none'}.${isPaging ? ' All rows come at once, without pages.' : ''}`,
  lateRequest: 'The request did not arrive completely in time.',
}
