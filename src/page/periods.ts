/** Named periods, as inclusive dates of the organization. */
import type { Dates } from './api.ts'
import { today } from './zone.ts'

export const PERIODS = [
  'month',
  'lastMonth',
  'quarter',
  'lastQuarter',
  'yearToDate',
  'year',
  'lastYear',
] as const
/** Of reports that show one day: its end. */
export const DAYS = ['today', 'lastMonth', 'lastQuarter', 'lastYear'] as const
export type Preset = (typeof PERIODS)[number] | (typeof DAYS)[number]

type OpenDates = { readonly [End in keyof Dates]: string | undefined }

/**
 * Of an address: without dates 1 January to today, so that metrics and reports have the same figures; the API's default,
 * the year, for what is due and for one end alone.
 * @param basis code of the report's `dateBasis`
 */
export function datesOf({ from, to }: OpenDates, basis?: string): Dates {
  const isToDate = !from && !to && basis !== 'due'
  const dates = presetDates(isToDate ? 'yearToDate' : 'year')
  return { from: from || dates.from, to: to || dates.to }
}

export function presetDates(preset: Preset): Dates {
  const day = today()
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1]
  const quarter = month - (month % 3)
  const presets: Readonly<Record<Preset, Dates>> = {
    today: { from: day, to: day },
    yearToDate: { from: `${year}-01-01`, to: day },
    month: monthsFrom(year, month, 1),
    lastMonth: monthsFrom(year, month - 1, 1),
    quarter: monthsFrom(year, quarter, 3),
    lastQuarter: monthsFrom(year, quarter - 3, 3),
    year: monthsFrom(year, 0, 12),
    lastYear: monthsFrom(year - 1, 0, 12),
  }
  return presets[preset]
}

/** The preset with these dates, or of days with this end; undefined for own dates. */
export function presetOf({ from, to }: Dates, presets: readonly Preset[]): Preset | undefined {
  return presets.find(preset => {
    const dates = presetDates(preset)
    return (presets === DAYS || dates.from === from) && dates.to === to
  })
}

/** The day of a state: today, however late the period ends. */
export function stateDay({ to }: Dates): string {
  return to < today() ? to : today()
}

/** @param month may be outside 0-11 */
function monthsFrom(year: number, month: number, count: number): Dates {
  return { from: iso(Date.UTC(year, month, 1)), to: iso(Date.UTC(year, month + count, 0)) }
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
