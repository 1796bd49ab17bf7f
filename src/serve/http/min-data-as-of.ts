/** The request header `Min-Data-As-Of`: nothing older is sent, from the cache neither. */
import { printable, Problem } from '../../model/errors.ts'
import type { Instant } from '../../model/terms.ts'
import type { ApiContext } from './active-requests.ts'

/** RFC 3339. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/i

/** @throws Problem `bad_request` if the header is not an instant */
export function minDataAsOf(ctx: ApiContext): Instant | undefined {
  const value = ctx.get('Min-Data-As-Of')
  if (value === '') return undefined
  const instantMs = INSTANT.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(instantMs)) return new Date(instantMs).toISOString()
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

/** No replica is new enough yet. */
export function notNewEnough(dataAsOf: Instant | undefined): Problem {
  const found = dataAsOf ?? '?'
  return new Problem(
    'replica_unavailable',
    {
      ru: `Данные пока не новее ${found}, а Min-Data-As-Of требует новее. Повторите запрос позже.`,
      en: `The data are as of ${found}, and Min-Data-As-Of asks for newer. Try again later.`,
    },
    { retryAfterSeconds: 2 },
  )
}
