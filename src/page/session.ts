/** The API key: in memory, and in `sessionStorage` only if the user asked for it. */

const NAME = 'svodka-key'

let key = sessionStorage.getItem(NAME) ?? undefined

export function currentKey(): string | undefined {
  return key
}

/** @param isRemembered until the tab is closed */
export function logIn(newKey: string, isRemembered: boolean): void {
  key = newKey
  if (isRemembered) sessionStorage.setItem(NAME, newKey)
  else sessionStorage.removeItem(NAME)
}

export function logOut(): void {
  key = undefined
  sessionStorage.clear()
}
