/** What customers read, in English. */
import type { RU } from './ru.ts'

export const EN: typeof RU = {
  queued:
    'Reports of your organization are already queued. Retry later, and send fewer requests at once.',
  overloaded: 'The service is overloaded by requests. Retry later.',
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
  notOfMetrics: (name, list) =>
    `These metrics have no parameter ${name}: ${list}. List those that have it in codes.`,
  tooManyChoices: max =>
    `The parameter has more than ${max} values, which are not listed. Send a value without the list.`,
  valuesFail: (names: string) =>
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
  pageTitle: 'Reports',
  needsJavaScript: 'This page needs JavaScript.',
}
