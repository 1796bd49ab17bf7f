/** An error as help: what happened, what to do, and when the request is repeated. */
import { ApiProblem } from './api-problem.ts'
import { h } from './dom.ts'
import { logOut } from './session.ts'
import { say } from './speech.ts'
import { TEXTS, withKeys } from './texts.ts'

export function helpFor({ fields: { code } }: ApiProblem): string {
  return withKeys(TEXTS.help[code] ?? '')
}

/** @param retry called by the button, or after `Retry-After` */
export function problemView(
  problem: ApiProblem,
  retry: () => void,
  signal: AbortSignal,
): HTMLElement {
  const { status, retryAfterSeconds } = problem
  const { code, title, detail, requestId } = problem.fields
  const button = h('button', { type: 'button', onclick: repeat }, TEXTS.retry)
  const another = h('button', { type: 'button', onclick: () => logOut() }, TEXTS.anotherKey)
  const countdown = h('span', { className: 'muted' })
  let left = retryAfterSeconds ?? 0
  const timer = left > 0 ? setInterval(tick, 1000) : undefined
  const stop = (): void => clearInterval(timer)
  signal.addEventListener('abort', stop, { once: true })
  if (code === 'offline') addEventListener('online', repeat, { once: true, signal })

  function repeat(): void {
    stop()
    retry()
  }

  function tick(): void {
    if (left === 0) return repeat()
    countdown.textContent = `${TEXTS.retryIn} ${left} ${TEXTS.seconds}`
    left -= 1
  }

  if (timer !== undefined) tick()
  const texts = [title, detail, helpFor(problem)]
  const [heading, ...others] = texts.filter(text => text !== '')
  // why: as an alert, each second of the countdown would be read out
  say([`${heading}.`, ...others].join(' '))
  return h(
    'section',
    { className: 'problem' },
    h('h2', {}, heading),
    ...others.map(text => h('p', {}, text)),
    h('p', { className: 'actions' }, button, status === 402 && another, countdown),
    requestId === undefined
      ? undefined
      : h('p', { className: 'muted small' }, `${TEXTS.requestId}: `, h('code', {}, requestId)),
  )
}

/** Loads what a place shows, or shows there what is wrong. */
export function loadInto(place: HTMLElement, load: () => Promise<void>, signal: AbortSignal): void {
  place.ariaBusy = 'true'
  const again = (): void => loadInto(place, load, signal)
  void load()
    .catch((error: unknown) => {
      if (!signal.aborted) place.replaceChildren(problemView(problemOf(error), again, signal))
    })
    .finally(() => (place.ariaBusy = String(signal.aborted)))
}

/** Errors that are not of the API are defects, which must show. @throws other errors */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  throw error
}
