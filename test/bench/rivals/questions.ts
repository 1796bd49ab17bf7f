// What all servers are asked: a small report of middling organizations, and a long register of one.
import { addDays } from '../../../src/definitions/calendar.ts'
import type { IsoDate } from '../../../src/terms.ts'
import { PREFIX } from '../gateway.ts'
import type { BenchOrganization, ProductDatabase } from '../product.ts'
import type { LoadRequest } from '../wrk.ts'

export interface Question {
  readonly report: 'expenses_by_category' | 'operations'
  readonly organization: BenchOrganization
  readonly key: string
  /** Both inclusive. */
  readonly from: IsoDate
  readonly to: IsoDate
  readonly today: IsoDate
}

const ORGANIZATIONS = 40
const PERIODS = 10

/** Many more than are in flight at once, all different, so that no two of them share a run. */
export function smallQuestions({ ordinary }: ProductDatabase, today: IsoDate): Question[] {
  const middle = Math.floor((ordinary.length - ORGANIZATIONS) / 2)
  const middling = ordinary.slice(middle, middle + ORGANIZATIONS)
  // why no days that are over: each period has all of this year's rows
  return Array.from({ length: PERIODS }, (_, period) =>
    middling.map(organization => ({
      report: 'expenses_by_category' as const,
      organization,
      key: keyOf(organization, period),
      from: `${today.slice(0, 4)}-01-01`,
      to: addDays(`${today.slice(0, 4)}-12-31`, period),
      today,
    })),
  ).flat()
}

export function registerQuestion({ named }: ProductDatabase, today: IsoDate): Question {
  const organization = named['ten thousand']
  const year = today.slice(0, 4)
  const [from, to] = [`${year}-01-01`, `${year}-12-31`]
  return { report: 'operations', organization, key: keyOf(organization, 0), from, to, today }
}

export function gatewayRequest({ report, key, from, to }: Question, fresh: boolean): LoadRequest {
  return {
    path: `${PREFIX}/reports/${report}?from=${from}&to=${to}`,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(fresh ? { 'Cache-Control': 'no-cache' } : {}),
    },
  }
}

/** The day after the last. */
export function periodEnd({ to }: Question): IsoDate {
  return addDays(to, 1)
}

function keyOf({ name, keys }: BenchOrganization, place: number): string {
  const key = keys[place % keys.length]
  if (key === undefined) throw new Error(`${name} has no key`)
  return key
}
