/** An error as help: what happened, what to do, and when the request is repeated. */
import { ApiProblem } from './api.ts'
import { h } from './dom.ts'
import { TEXTS } from './texts.ts'

export function helpFor({ code }: ApiProblem): string {
  return TEXTS.help[code] ?? ''
}

/** @param retry called by the button, or after `Retry-After` */
export function problemView(
  problem: ApiProblem,
  retry: () => void,
  signal: AbortSignal,
): HTMLElement {
  const { code, message, detail, requestId, retryAfterSeconds } = problem
  const button = h('button', { type: 'button', onclick: repeat }, TEXTS.retry)
  const countdown = h('span', { className: 'muted' })
  let left = retryAfterSeconds ?? 0
  const timer = left > 0 ? setInterval(tick, 1000) : undefined
  const stop = (): void => clearInterval(timer)
  signal.addEventListener('abort', stop, { once: true })

  function repeat(): void {
    stop()
    retry()
  }

  function tick(): void {
    left -= 1
    if (left > 0) write()
    else repeat()
  }

  function write(): void {
    if (left > 0) countdown.textContent = `${TEXTS.retryIn} ${left} ${TEXTS.seconds}`
  }

  write()
  return h(
    'section',
    { className: 'problem', aria: { role: 'alert' } },
    h('h2', {}, code === 'offline' ? TEXTS.offline : message),
    detail === '' ? undefined : h('p', {}, detail),
    helpFor(problem) === '' ? undefined : h('p', {}, helpFor(problem)),
    h('p', { className: 'actions' }, button, countdown),
    requestId === undefined
      ? undefined
      : h('p', { className: 'muted small' }, `${TEXTS.requestId}: `, h('code', {}, requestId)),
  )
}

/** Errors that are not of the API are defects, which must show. @throws other errors */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  throw error
}
