/** The API key: in `sessionStorage`, for reloads of this tab. Tabs without a key ask others, so that it ends with the last one. */
import type { ApiProblem } from './api-problem.ts'

const NAME = 'svodka-key'
/** In `localStorage`: the last log-out of all tabs. In `sessionStorage`: that before the key was typed in. */
const LOG_OUT = 'svodka-log-out'
/** Milliseconds without the form, which a user does not notice. */
const WAIT_MS = 100

/** Between tabs. */
type Message = 'ask' | { readonly key: string }

const channel = new BroadcastChannel(NAME)
let key = sessionStorage.getItem(NAME) ?? undefined
/** Keys of other tabs; undefined unless they are wanted. */
let offered: Set<string> | undefined
let onChange: (problem?: ApiProblem) => void

/** why: a tab that is elsewhere or asleep gets no message, and has its key when it comes back */
export function currentKey(): string | undefined {
  return sessionStorage.getItem(LOG_OUT) === lastLogOut() ? key : undefined
}

export function logIn(newKey: string): void {
  offered = undefined
  key = newKey
  sessionStorage.setItem(NAME, key)
  sessionStorage.setItem(LOG_OUT, lastLogOut())
  onChange()
}

/** Of this tab. @param problem of the key */
export function logOut(problem?: ApiProblem): void {
  offered = undefined
  key = undefined
  sessionStorage.clear()
  onChange(problem)
}

export function logOutTabs(): void {
  localStorage.setItem(LOG_OUT, String(Date.now()))
  logOut()
}

/** @param listener called when it is known whether there is a key, and whenever that changes */
export function openSession(listener: typeof onChange): void {
  onChange = listener
  const take = (): void => {
    // why: if they are of two organizations, only the user knows which is meant
    if (offered?.size === 1) logIn([...offered][0]!)
    else if (offered !== undefined) onChange()
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data === 'ask' && currentKey() !== undefined) send({ key: key! })
    else if (typeof data === 'object') {
      offered?.add(data.key)
      setTimeout(take, WAIT_MS)
    }
  })
  // a log-out in another tab, at once or when this one comes back
  for (const type of ['storage', 'pageshow'])
    addEventListener(type, () => key !== undefined && currentKey() === undefined && logOut())
  if (currentKey() !== undefined) return onChange()
  key = undefined
  sessionStorage.clear()
  offered = new Set()
  addEventListener('input', () => (offered = undefined), { once: true })
  send('ask')
  setTimeout(take, WAIT_MS)
}

function lastLogOut(): string {
  return localStorage.getItem(LOG_OUT) ?? ''
}

function send(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only this origin has the channel
  channel.postMessage(message)
}
