/** The organization's time zone: its days, and instants as its clocks show them. */
import { formatValue, LOCALE } from './format.ts'

const TIME = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/** Undefined is that of the browser. */
let timeZone: string | undefined

/** If the browser does not know the zone, its own is shown, and named. @param name IANA name */
export function setZone(name: string): void {
  timeZone = name
  try {
    today()
  } catch {
    timeZone = undefined
  }
}

/** `2026-11-28` */
export function today(): string {
  return dayOf(Date.now())
}

function dayOf(instant: number): string {
  return new Date(instant).toLocaleDateString('sv', { timeZone })
}

/** `14:03 GMT+3` today; else, or if the day is wanted, `26.11.2026 14:03 GMT+3`. */
export function formatInstant(instant: number, withDay = dayOf(instant) !== today()): string {
  const time = new Date(instant).toLocaleTimeString(LOCALE, { ...TIME, timeZone })
  return withDay ? `${formatValue(dayOf(instant), 'date')} ${time}` : time
}
