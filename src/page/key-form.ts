/** The form for the key, which password managers know by its fields. */
import type { ApiProblem } from './api-problem.ts'
import { h } from './dom.ts'
import { helpFor } from './problem.ts'
import { TEXTS, withKeys } from './texts.ts'

/** @param problem why the last key was not accepted */
export function keyForm(
  problem: ApiProblem | undefined,
  onKey: (key: string) => void,
): HTMLFormElement {
  const message = h(
    'p',
    { className: 'message negative', aria: { role: 'alert' } },
    problem && `${problem.message}. ${helpFor(problem)}`,
  )
  const input = h('input', {
    type: 'password',
    name: 'password',
    id: 'key',
    autocomplete: 'current-password',
    spellcheck: false,
    required: true,
    maxLength: 512,
  })
  const toggle = h('button', { type: 'button', className: 'quiet', onclick: toggleKey }, TEXTS.show)

  function toggleKey(): void {
    const isShown = input.type === 'text'
    input.type = isShown ? 'password' : 'text'
    toggle.textContent = isShown ? TEXTS.show : TEXTS.hide
  }

  function onsubmit(event: SubmitEvent): void {
    event.preventDefault()
    const key = input.value.trim()
    // why: other characters cannot be sent in a header
    if (/^[ -~]+$/.test(key)) onKey(key)
    else message.textContent = TEXTS.keyImpossible
  }

  return h(
    'form',
    { className: 'card', method: 'post', onsubmit },
    h('p', { className: 'brand' }, TEXTS.name),
    h('h1', {}, TEXTS.keyTitle),
    h('p', { className: 'muted' }, withKeys(TEXTS.keyLead)),
    message,
    // why: password managers store a password under a user name
    h('input', {
      type: 'text',
      name: 'username',
      autocomplete: 'username',
      value: location.host,
      hidden: true,
      readOnly: true,
    }),
    h('label', { htmlFor: 'key' }, TEXTS.key),
    h('div', { className: 'field' }, input, toggle),
    h('button', { className: 'primary', type: 'submit' }, TEXTS.keySubmit),
    h('p', { className: 'muted small' }, TEXTS.keySafety),
  )
}
