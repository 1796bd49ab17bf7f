/** Where the reader is: what is scrolled, and what has the focus. Each entry of the history has its own place. */

type Place = readonly [page: number, left: number, top: number, focus: number]

/** Of the view that is being loaded. */
let awaited: Place | null = null
let focused: Element | null = null

/** Before the entry is left. */
export function notePlace(): void {
  const { scrollLeft = 0, scrollTop = 0 } = document.querySelector('.table') ?? {}
  const focus = elements().indexOf(document.activeElement as HTMLElement)
  history.replaceState([scrollY, scrollLeft, scrollTop, focus] satisfies Place, '')
}

/** Once the view is loaded, unless the reader has begun. */
export function returnToPlace(): void {
  awaited = history.state as Place | null
}

/** Also if an element with the focus is replaced. */
export function keepPlace(main: HTMLElement): void {
  history.scrollRestoration = 'manual'
  for (const type of ['wheel', 'pointerdown', 'keydown'])
    addEventListener(type, () => (awaited = null))
  addEventListener('focusin', ({ target }) => (focused = target as Element))
  const settle = (): void => {
    if (awaited !== null && main.querySelector('[aria-busy=true]') === null) {
      const [page, left, top, focus] = awaited
      awaited = null
      elements()[focus]?.focus()
      document.querySelector('.table')?.scrollTo(left, top)
      scrollTo(0, page)
    } else if (document.activeElement === document.body && focused?.isConnected === false) {
      const again = main.querySelector<HTMLElement>('.problem button')
      ;(again ?? main.querySelector('h1'))?.focus({ preventScroll: true })
    }
  }
  const changes = { subtree: true, childList: true, attributeFilter: ['aria-busy'] }
  new MutationObserver(settle).observe(main, changes)
}

function elements(): HTMLElement[] {
  const wanted = 'main :is(a, button, input, select, summary, [tabindex])'
  return [...document.querySelectorAll<HTMLElement>(wanted)]
}
