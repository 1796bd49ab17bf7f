/** Named periods, as inclusive dates. */

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

export interface Dates {
  readonly from: string
  readonly to: string
}

export function presetDates(preset: Preset, today: Date): Dates {
  const [year, month] = [today.getFullYear(), today.getMonth()]
  const quarter = month - (month % 3)
  switch (preset) {
    case 'today':
      return { from: dayOf(today), to: dayOf(today) }
    case 'yearToDate':
      return { from: `${year}-01-01`, to: dayOf(today) }
    case 'month':
      return monthsFrom(year, month, 1)
    case 'lastMonth':
      return monthsFrom(year, month - 1, 1)
    case 'quarter':
      return monthsFrom(year, quarter, 3)
    case 'lastQuarter':
      return monthsFrom(year, quarter - 3, 3)
    case 'year':
      return monthsFrom(year, 0, 12)
    case 'lastYear':
      return monthsFrom(year - 1, 0, 12)
  }
}

/** The preset with these dates, or of days with this end; undefined for own dates. */
export function presetOf(
  { from, to }: Dates,
  presets: readonly Preset[],
  today: Date,
): Preset | undefined {
  return presets.find(preset => {
    const dates = presetDates(preset, today)
    return (presets === DAYS || dates.from === from) && dates.to === to
  })
}

/** The day of a state: today, however late the period ends. */
export function stateDay({ to }: Dates, now: Date): string {
  const today = dayOf(now)
  return to < today ? to : today
}

/** In the time zone of the browser. */
function dayOf(date: Date): string {
  return iso(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()))
}

/** @param month may be outside 0-11 */
function monthsFrom(year: number, month: number, count: number): Dates {
  return { from: iso(Date.UTC(year, month, 1)), to: iso(Date.UTC(year, month + count, 0)) }
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
