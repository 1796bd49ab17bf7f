/** Whose figures are shown: the name in the header, on paper, in the title of the document and in names of files. */
import { requestJson } from './api.ts'
import { h } from './dom.ts'
import { setCurrency } from './format.ts'
import { currentKey } from './session.ts'
import { FORMATS, TEXTS } from './texts.ts'
import { setZone } from './zone.ts'

interface Ping {
  readonly organizationName?: string
  readonly timeZone: string
  readonly currency: string
  readonly digits: number
}

/** Of which key. */
let known: string | undefined
let name = ''

/** Empty until it is known, or if the API does not tell it. */
export function organizationName(): string {
  return isOrganizationKnown() ? name : ''
}

export function organizationElement(): HTMLElement {
  return h('span', { className: 'organization' }, organizationName())
}

/** The title of the document. */
export function setTitle(view: string): void {
  document.title = [view, organizationName(), TEXTS.name].filter(part => part !== '').join(' — ')
  // why: on paper each page says whose it is
  const { style } = document.documentElement
  style.setProperty('--paper-foot', JSON.stringify(document.title))
  style.setProperty('--paper-of', JSON.stringify(` ${FORMATS.pageOf} `))
}

export function isOrganizationKnown(): boolean {
  return known !== undefined && known === currentKey()
}

/** why before any view: without the time zone, today would be that of the browser @throws as `request` */
export async function loadOrganization(signal: AbortSignal): Promise<void> {
  const ping = await requestJson<Ping>('/ping', signal)
  name = ping.organizationName ?? ''
  known = currentKey()
  setZone(ping.timeZone)
  setCurrency({ code: ping.currency, digits: ping.digits })
}
