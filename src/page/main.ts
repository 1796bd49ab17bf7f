/** Shows the view that the address names, or the form for a key. */
import type { ApiProblem } from './api.ts'
import { catalogue } from './catalogue.ts'
import { h, link } from './dom.ts'
import { keyForm } from './key-form.ts'
import { loadOrganization, organizationElement, setOrganization, setTitle } from './organization.ts'
import type { Page } from './page.ts'
import { problemView } from './problem.ts'
import { reference } from './reference.ts'
import { reportView } from './report.ts'
import { currentKey, logIn, logOut } from './session.ts'
import { speech } from './speech.ts'
import { hrefOf, readState } from './state.ts'
import type { PageState } from './state.ts'
import { TEXTS } from './texts.ts'

let controller = new AbortController()
const main = h('main', { id: 'main' })
const brand = link('', go, { className: 'brand' }, TEXTS.name)
const header = h(
  'header',
  {},
  h('p', {}, brand, organizationElement()),
  h(
    'nav',
    {},
    link(hrefOf({ view: 'reference' }), go, {}, TEXTS.reference),
    h('button', { className: 'quiet', type: 'button', onclick: leave }, TEXTS.logOut),
  ),
)
const skip = link('#main', focusHeading, { className: 'skip' }, TEXTS.skip)

function show(problem?: ApiProblem): void {
  controller.abort()
  controller = new AbortController()
  const { signal } = controller
  setTitle(TEXTS.reports)
  const isKnown = currentKey() !== undefined
  main.className = isKnown ? '' : 'entry'
  if (isKnown) document.body.prepend(skip, header)
  else {
    for (const part of [skip, header]) part.remove()
    setOrganization()
    const form = keyForm(problem, (key, isRemembered) => {
      logIn(key, isRemembered)
      show()
    })
    main.replaceChildren(form)
    form.querySelector<HTMLInputElement>('#key')?.focus()
    return
  }
  loadOrganization(signal)
  const state = readState(location.search)
  const page: Page = {
    state,
    signal,
    go,
    push: next => change(next, 'pushState'),
    replace: next => change(next, 'replaceState'),
    isOfAccount(found) {
      if (found.status === 401) {
        logOut()
        show(found)
      } else if (found.status === 402) {
        const another = h('button', { type: 'button', onclick: leave }, TEXTS.anotherKey)
        main.replaceChildren(h('h1', {}, TEXTS.reports), problemView(found, show, signal), another)
      }
      return found.status === 401 || found.status === 402
    },
  }
  const view =
    state.view === 'reference' ? reference : state.report === undefined ? catalogue : reportView
  setBrand(state)
  main.replaceChildren(...view(page))
  scrollTo(0, 0)
  focusHeading()
}

/** why: a screen reader reads from the new heading on, as after loading a page */
function focusHeading(): void {
  const heading = main.querySelector('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus()
}

function go(href: string): void {
  history.pushState(null, '', href)
  show()
}

/** The address, not the view. */
function change(state: PageState, how: 'pushState' | 'replaceState'): void {
  history[how](null, '', hrefOf(state))
  setBrand(state)
}

/** The catalogue has the dates of the report. */
function setBrand({ from, to }: PageState): void {
  brand.href = hrefOf({ from, to })
}

function leave(): void {
  logOut()
  history.replaceState(null, '', location.pathname)
  show()
}

addEventListener('popstate', () => show())
document.body.replaceChildren(main, speech)
show()
