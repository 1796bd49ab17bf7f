/** Named periods, as inclusive dates. */

export const PRESETS = ['month', 'lastMonth', 'quarter', 'lastQuarter', 'year', 'lastYear'] as const
export type Preset = (typeof PRESETS)[number]

export interface Dates {
  readonly from: string
  readonly to: string
}

export function presetDates(preset: Preset, today: Date): Dates {
  const [year, month] = [today.getFullYear(), today.getMonth()]
  const quarter = month - (month % 3)
  switch (preset) {
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

/** The preset with these dates; undefined for own dates. */
export function presetOf({ from, to }: Dates, today: Date): Preset | undefined {
  return PRESETS.find(preset => {
    const dates = presetDates(preset, today)
    return dates.from === from && dates.to === to
  })
}

/** @param month may be outside 0-11 */
function monthsFrom(year: number, month: number, count: number): Dates {
  return { from: iso(Date.UTC(year, month, 1)), to: iso(Date.UTC(year, month + count, 0)) }
}

function iso(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
