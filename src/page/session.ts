/** The API key: in `sessionStorage`, for reloads of this tab. Tabs without a key ask others, so that it ends with the last one. */
import type { ApiProblem } from './api.ts'

const NAME = 'svodka-key'
/** Milliseconds without the form, which a user does not notice. */
const WAIT_MS = 100

/** Between tabs. */
type Message = 'ask' | 'log out' | { readonly key: string }

const channel = new BroadcastChannel(NAME)
let key = sessionStorage.getItem(NAME) ?? undefined
/** Keys of other tabs; undefined unless they are wanted. */
let offered: Set<string> | undefined
let onChange: (problem?: ApiProblem) => void

export function currentKey(): string | undefined {
  return key
}

export function logIn(newKey: string): void {
  offered = undefined
  key = newKey
  sessionStorage.setItem(NAME, key)
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
  send('log out')
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
    if (data === 'log out') logOut()
    else if (data === 'ask' && key !== undefined) send({ key })
    else if (typeof data === 'object') {
      offered?.add(data.key)
      setTimeout(take, WAIT_MS)
    }
  })
  if (key !== undefined) return onChange()
  offered = new Set()
  addEventListener('input', () => (offered = undefined), { once: true })
  send('ask')
  setTimeout(take, WAIT_MS)
}

function send(message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- only this origin has the channel
  channel.postMessage(message)
}
