/** The request header `Min-Data-As-Of`: nothing older is sent, from the cache neither. */
import { isDate } from '../../definitions/calendar.ts'
import { printable, Problem } from '../../model/errors.ts'
import type { Instant } from '../../model/terms.ts'
import type { ApiContext } from './active-requests.ts'

/** RFC 3339. */
const INSTANT =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,3}(\d*))?(?:Z|[+-]\d\d:\d\d)$/i

/** With nanoseconds and an offset. */
const MAX_LENGTH = 35

/** In whole milliseconds, rounded up. */
function parseInstant(value: string): Instant | undefined {
  const [, date = '', rest = ''] = INSTANT.exec(value) ?? []
  const instantMs = Date.parse(value) + (/[1-9]/.test(rest) ? 1 : 0)
  if (!isDate(date) || Number.isNaN(instantMs)) return undefined
  const instant = new Date(instantMs).toISOString()
  // why: instants are compared as text, and other years have a sign
  return /^\d{4}-/.test(instant) ? instant : undefined
}

/** @throws Problem `bad_request` if the header is not an instant */
export function minDataAsOf(ctx: ApiContext): Instant | undefined {
  const value = ctx.get('Min-Data-As-Of')
  if (value === '') return undefined
  const instant = value.length > MAX_LENGTH ? undefined : parseInstant(value)
  if (instant !== undefined) return instant
  const found = printable(value)
  throw new Problem('bad_request', {
    ru: `Заголовок Min-Data-As-Of равен «${found}», а ожидался момент вида 2026-01-31T10:00:00.000Z.`,
    en: `The header Min-Data-As-Of is "${found}"; expected an instant such as 2026-01-31T10:00:00.000Z.`,
  })
}

/** Unknown data time is too old. */
export function isNewEnough(
  { dataAsOf }: { readonly dataAsOf?: Instant | undefined },
  min: Instant | undefined,
): boolean {
  return min === undefined || (dataAsOf !== undefined && dataAsOf >= min)
}

/** Undefined if any instant is unknown, or there are none. */
export function oldestOf([first, ...rest]: ReadonlyArray<Instant | undefined>):
  | Instant
  | undefined {
  return rest.reduce(
    (a, b) => (a === undefined || b === undefined ? undefined : a < b ? a : b),
    first,
  )
}
