/** Shows the view that the address names, or the form for a key. */
import type { ApiProblem } from './api-problem.ts'
import { catalogue } from './catalogue.ts'
import { h } from './dom.ts'
import { keyForm } from './key-form.ts'
import {
  isOrganizationKnown,
  loadOrganization,
  organizationElement,
  setTitle,
} from './organization.ts'
import type { Page } from './page.ts'
import { keepPlace, notePlace, returnToPlace } from './place.ts'
import { loadInto } from './problem.ts'
import { reference } from './reference.ts'
import { reportView } from './report.ts'
import { currentKey, logIn, logOutTabs, openSession } from './session.ts'
import { speech } from './speech.ts'
import { hrefOf, readState } from './state.ts'
import type { PageState } from './state.ts'
import { TEXTS } from './texts.ts'

let controller = new AbortController()
const main = h('main', { id: 'main' })
const header = h(
  'header',
  {},
  h('p', {}, h('a', { className: 'brand home' }, TEXTS.name), organizationElement()),
  h(
    'nav',
    {},
    h('a', { href: hrefOf({ view: 'reference' }) }, TEXTS.reference),
    h('button', { className: 'quiet', type: 'button', onclick: leave }, TEXTS.logOut),
  ),
)
const skip = h('a', { href: '#main', className: 'skip' }, TEXTS.skip)

function show(problem?: ApiProblem): void {
  controller.abort()
  controller = new AbortController()
  if (currentKey() === undefined) return showForm(problem)
  const state = readState(location.search)
  const page: Page = {
    state,
    signal: controller.signal,
    push: next => change(next, 'pushState'),
    replace: next => change(next, 'replaceState'),
  }
  setTitle(TEXTS.reports)
  header.querySelector('.organization')!.replaceWith(organizationElement())
  document.body.prepend(skip, header)
  main.className = ''
  main.replaceChildren(...viewOf(state)(page))
  setHome(state)
  scrollTo(0, 0)
  focusHeading()
  returnToPlace()
}

function viewOf({ view, report }: PageState): (page: Page) => HTMLElement[] {
  if (!isOrganizationKnown()) return arrival
  return view === 'reference' ? reference : report === undefined ? catalogue : reportView
}

/** Before it is known whose figures are shown. */
function arrival({ state, signal }: Page): HTMLElement[] {
  const place = h('div')
  loadInto(place, () => loadOrganization(signal).then(() => show()), signal)
  return [h('h1', {}, state.report ?? TEXTS.reports), place]
}

function showForm(problem: ApiProblem | undefined): void {
  for (const part of [skip, header]) part.remove()
  setTitle(TEXTS.reports)
  main.className = 'entry'
  main.replaceChildren(keyForm(problem, logIn))
  main.querySelector<HTMLInputElement>('#key')?.focus()
}

/** why: a screen reader reads from the new heading on, as after loading a page */
function focusHeading(): void {
  const heading = main.querySelector('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus()
}

/** The address, not the view. */
function change(state: PageState, how: 'pushState' | 'replaceState'): void {
  if (how === 'pushState') notePlace()
  history[how](how === 'pushState' ? null : history.state, '', hrefOf(state))
  setHome(state)
}

/** The catalogue has the dates of the report. */
function setHome({ from, to }: PageState): void {
  for (const home of document.querySelectorAll<HTMLAnchorElement>('.home'))
    home.href = hrefOf({ from, to })
}

function leave(): void {
  history.replaceState(null, '', location.pathname)
  logOutTabs()
}

addEventListener('popstate', () => show())
addEventListener('pagehide', () => header.isConnected && notePlace())

/** An open menu closes as soon as something else is meant. */
for (const type of ['pointerdown', 'focusin'])
  addEventListener(type, ({ target }) => {
    const menu = document.querySelector<HTMLDetailsElement>('.menu[open]')
    if (menu?.contains(target as Node) === false) menu.open = false
  })

/** A plain click on a link shows another view instead of loading the page. */
addEventListener('click', event => {
  const { target } = event
  const link = target instanceof Element ? target.closest('a') : null
  const href = link?.getAttribute('href')
  const { button, ctrlKey, metaKey, shiftKey, altKey } = event
  if (!href || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return
  event.preventDefault()
  if (href === '#main') return focusHeading()
  notePlace()
  history.pushState(null, '', href)
  show()
})

keepPlace(main)
document.body.replaceChildren(main, speech)
openSession(show)
