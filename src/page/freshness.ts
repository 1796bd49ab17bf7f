/** How old the data are. */
import { h } from './dom.ts'
import { TEXTS } from './texts.ts'
import { formatInstant } from './zone.ts'

export interface DataTime {
  /** Milliseconds; undefined if the API does not know. */
  readonly dataAsOf: number | undefined
  /** Too old for the report, but newer data are not available. */
  readonly isStale: boolean
}

export function dataTimeOf({ headers }: Response): DataTime {
  const instant = Date.parse(headers.get('Data-As-Of') ?? '')
  return {
    dataAsOf: Number.isNaN(instant) ? undefined : instant,
    isStale: headers.get('Cache-Status')?.includes('detail=stale') === true,
  }
}

const UPDATE_MS = 20_000

export function freshness({ dataAsOf, isStale }: DataTime, signal: AbortSignal): HTMLElement {
  const element = h('span', { className: isStale ? 'freshness stale' : 'freshness' })
  if (dataAsOf === undefined) return element
  const write = (): void => {
    const age = `${TEXTS.dataAsOf} ${formatInstant(dataAsOf)}, ${ago(Date.now() - dataAsOf)}`
    element.textContent = isStale ? `${age}; ${TEXTS.stale}` : age
  }
  const timer = setInterval(write, UPDATE_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  write()
  return element
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return TEXTS.ago.now
  if (minutes < 60) return `${minutes} ${TEXTS.ago.minutes}`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} ${TEXTS.ago.hours}` : `${Math.floor(hours / 24)} ${TEXTS.ago.days}`
}
