/** Whose figures are shown: the name in the header, on paper, in the title of the document and in names of files. */
import { requestJson } from './api.ts'
import { h } from './dom.ts'
import { problemOf } from './problem.ts'
import { TEXTS } from './texts.ts'

/** Empty until it is known, or if the API does not tell it. */
let name = ''
let view = ''

export function organizationName(): string {
  return name
}

/** Has the name as soon as it is known. */
export function organizationElement(): HTMLElement {
  return h('span', { className: 'organization' }, name)
}

/** The title of the document. */
export function setTitle(newView: string): void {
  view = newView
  document.title = [view, name, TEXTS.name].filter(part => part !== '').join(' — ')
  // why: on paper each page says whose it is
  document.documentElement.style.setProperty('--paper-foot', JSON.stringify(document.title))
}

export function setOrganization(newName = ''): void {
  name = newName
  for (const element of document.querySelectorAll('.organization')) element.textContent = name
  setTitle(view)
}

export function loadOrganization(signal: AbortSignal): void {
  requestJson<{ readonly organizationName?: string }>('/ping', signal).then(
    ({ organizationName: found }) => setOrganization(found),
    // why: the requests of the view say what is wrong
    (error: unknown) => signal.aborted || problemOf(error),
  )
}
