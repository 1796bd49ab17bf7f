/** Chooses a period: by name, or by its first and last day; or one day. */
import { h } from './dom.ts'
import type { Dates } from './api.ts'
import { DAYS, PERIODS, presetDates, presetOf, stateDay } from './periods.ts'
import type { Preset } from './periods.ts'
import { say } from './speech.ts'
import { TEXTS } from './texts.ts'

export interface PeriodPicker {
  readonly element: HTMLElement
  /** Shows the period that the API used. */
  set(dates: Dates): void
  /** Asks for one day: of the period, only the end matters. */
  askForDay(): void
}

const OWN = 'own'

export function periodPicker(shown: Dates, onChange: (dates: Dates) => void): PeriodPicker {
  let isDay = false
  let isTyping = false
  const select = h(
    'select',
    { aria: { label: TEXTS.period }, onchange: choosePreset },
    ...options(PERIODS, TEXTS.periods),
  )
  const [from, to] = [dateInput(TEXTS.from), dateInput(TEXTS.to)]
  const begin = h('span', {}, from, ' — ')
  const pair = h('span', { className: 'dates' }, begin, to)
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
    if (select.value === OWN) return (isDay ? to : from).focus()
    const chosen = presetDates(select.value as Preset)
    change(isDay ? { from: startOf(chosen.to), to: chosen.to } : chosen)
  }

  function chooseDates(): void {
    isTyping = false
    const chosen = { from: isDay ? startOf(to.value) : from.value, to: to.value }
    const isPeriod = [from, to].every(input => input.validity.valid) && chosen.from <= chosen.to
    message.textContent = isPeriod ? '' : TEXTS.help.bad_range
    if (!isPeriod) say(message.textContent)
    else if (chosen.from !== shown.from || chosen.to !== shown.to) change(chosen)
  }

  /** Other reports have the same beginning. */
  function startOf(end: string): string {
    return shown.from <= end ? shown.from : `${end.slice(0, 4)}-01-01`
  }

  function change(chosen: Dates): void {
    set(chosen)
    onChange(chosen)
  }

  function set(chosen: Dates): void {
    shown = isDay ? { from: chosen.from, to: stateDay(chosen) } : chosen
    // why: the response of an earlier period may arrive meanwhile
    if (isTyping) return
    message.textContent = ''
    select.value = presetOf(shown, isDay ? DAYS : PERIODS) ?? OWN
    from.value = shown.from
    to.value = shown.to
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
    askForDay() {
      if (isDay) return
      isDay = true
      begin.hidden = true
      to.ariaLabel = TEXTS.day
      select.replaceChildren(...options(DAYS, TEXTS.days))
      set(shown)
    },
  }
}

function options(
  presets: readonly Preset[],
  texts: Readonly<Record<string, string | undefined>>,
): HTMLElement[] {
  return [...presets, OWN].map(value => h('option', { value }, texts[value]))
}

function dateInput(label: string): HTMLInputElement {
  const properties = { type: 'date', min: '1900-01-01', max: '2999-12-31', required: true }
  return h('input', { ...properties, aria: { label } })
}
