/** Shows the view that the address names, or the form for a key. */
import type { ApiProblem } from './api.ts'
import { catalogue } from './catalogue.ts'
import { h, link } from './dom.ts'
import { keyForm } from './key-form.ts'
import type { Page } from './page.ts'
import { problemView } from './problem.ts'
import { reference } from './reference.ts'
import { reportView } from './report.ts'
import { currentKey, logIn, logOut } from './session.ts'
import { hrefOf, readState } from './state.ts'
import { TEXTS } from './texts.ts'

let controller = new AbortController()

function show(problem?: ApiProblem): void {
  controller.abort()
  controller = new AbortController()
  document.title = TEXTS.reports
  if (currentKey() === undefined) {
    const form = keyForm(problem, (key, isRemembered) => {
      logIn(key, isRemembered)
      show()
    })
    document.body.replaceChildren(h('main', { className: 'entry' }, form))
    form.querySelector<HTMLInputElement>('#key')?.focus()
    return
  }
  const state = readState(location.search)
  const page: Page = {
    state,
    signal: controller.signal,
    go,
    replace: next => history.replaceState(null, '', hrefOf(next)),
    isOfAccount(found) {
      if (found.status === 401) {
        logOut()
        show(found)
      } else if (found.status === 402) {
        main.replaceChildren(problemView(found, show, page.signal))
      }
      return found.status === 401 || found.status === 402
    },
  }
  const view =
    state.view === 'reference' ? reference : state.report === undefined ? catalogue : reportView
  const main = h('main', {}, view(page))
  document.body.replaceChildren(header(), main)
  scrollTo(0, 0)
  const heading = main.querySelector('h1')
  // why: a screen reader reads from the new heading on, as after loading a page
  heading?.setAttribute('tabindex', '-1')
  if (!main.contains(document.activeElement)) heading?.focus()
}

function go(href: string): void {
  history.pushState(null, '', href)
  show()
}

function header(): HTMLElement {
  const { from, to } = readState(location.search)
  return h(
    'header',
    {},
    link(hrefOf({ from, to }), go, { className: 'brand' }, TEXTS.name),
    h(
      'nav',
      {},
      link(hrefOf({ view: 'reference' }), go, {}, TEXTS.reference),
      h('button', { className: 'quiet', type: 'button', onclick: leave }, TEXTS.logOut),
    ),
  )
}

function leave(): void {
  logOut()
  history.replaceState(null, '', location.pathname)
  show()
}

addEventListener('popstate', () => show())
show()
