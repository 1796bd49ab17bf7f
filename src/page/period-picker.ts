/** Chooses a period: by name, or by its first and last day. */
import { h } from './dom.ts'
import { PRESETS, presetDates, presetOf } from './periods.ts'
import type { Dates, Preset } from './periods.ts'
import { say } from './speech.ts'
import { TEXTS } from './texts.ts'

export interface PeriodPicker {
  readonly element: HTMLElement
  /** Shows the period that the API used. */
  set(dates: Dates): void
}

const OWN = 'own'

export function periodPicker(
  dates: Partial<Dates>,
  onChange: (dates: Dates) => void,
): PeriodPicker {
  let shown: Dates = { ...presetDates('year', new Date()), ...dates }
  let isTyping = false
  const select = h(
    'select',
    { aria: { label: TEXTS.period }, onchange: choosePreset },
    ...[...PRESETS, OWN].map(value =>
      h('option', { value }, TEXTS.periods[value as Preset | typeof OWN]),
    ),
  )
  const [from, to] = [dateInput(TEXTS.from), dateInput(TEXTS.to)]
  const pair = h('span', { className: 'dates' }, from, '—', to)
  const message = h('p', { className: 'message negative small' })
  // why: of a date that is typed, every digit makes another whole date
  pair.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') chooseDates()
    else isTyping = key !== 'Tab'
  })
  pair.addEventListener('pointerdown', () => (isTyping = false))
  pair.addEventListener('change', () => isTyping || chooseDates())
  pair.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== from && relatedTarget !== to) chooseDates()
  })

  function choosePreset(): void {
    if (select.value === OWN) return from.focus()
    change(presetDates(select.value as Preset, new Date()))
  }

  function chooseDates(): void {
    isTyping = false
    const chosen = { from: from.value, to: to.value }
    const isPeriod = [from, to].every(input => input.validity.valid) && chosen.from <= chosen.to
    message.textContent = isPeriod ? '' : TEXTS.help.bad_range
    if (!isPeriod) say(message.textContent)
    else if (chosen.from !== shown.from || chosen.to !== shown.to) change(chosen)
  }

  function change(chosen: Dates): void {
    set(chosen)
    onChange(chosen)
  }

  function set(chosen: Dates): void {
    shown = chosen
    // why: the response of an earlier period may arrive meanwhile
    if (isTyping) return
    message.textContent = ''
    select.value = presetOf(chosen, new Date()) ?? OWN
    from.value = chosen.from
    to.value = chosen.to
  }

  set(shown)
  return {
    element: h(
      'div',
      { className: 'period', aria: { role: 'group', label: TEXTS.period } },
      select,
      pair,
      message,
    ),
    set,
  }
}

function dateInput(label: string): HTMLInputElement {
  const properties = { type: 'date', min: '1900-01-01', max: '2999-12-31', required: true }
  return h('input', { ...properties, aria: { label } })
}
