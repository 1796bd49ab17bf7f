/** Chooses a period: by name, or by its first and last day. */
import { h } from './dom.ts'
import { PRESETS, presetDates, presetOf } from './periods.ts'
import type { Dates, Preset } from './periods.ts'
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
  const select = h(
    'select',
    { aria: { label: TEXTS.period }, onchange: choosePreset },
    ...[...PRESETS, OWN].map(value =>
      h('option', { value }, TEXTS.periods[value as Preset | typeof OWN]),
    ),
  )
  const from = h('input', { type: 'date', onchange: chooseDates, aria: { label: TEXTS.from } })
  const to = h('input', { type: 'date', onchange: chooseDates, aria: { label: TEXTS.to } })

  function choosePreset(): void {
    if (select.value === OWN) return from.focus()
    const chosen = presetDates(select.value as Preset, new Date())
    set(chosen)
    onChange(chosen)
  }

  function chooseDates(): void {
    const chosen = { from: from.value, to: to.value }
    set(chosen)
    if (chosen.from !== '' && chosen.to !== '' && chosen.from <= chosen.to) onChange(chosen)
  }

  function set(chosen: Dates): void {
    select.value = presetOf(chosen, new Date()) ?? OWN
    from.value = chosen.from
    to.value = chosen.to
  }

  set({ ...presetDates('year', new Date()), ...dates })
  return {
    element: h(
      'div',
      { className: 'period', aria: { role: 'group', label: TEXTS.period } },
      select,
      h('span', { className: 'dates' }, from, '—', to),
    ),
    set,
  }
}
