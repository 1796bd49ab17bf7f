/** Chooses values of the parameters of a report: from a list, or any value of the type. */
import { requestJson } from './api.ts'
import type { ReportDescription, ReportParameter } from './api.ts'
import { h } from './dom.ts'
import { TEXTS } from './texts.ts'

/** By name, as the API takes them. */
export type ParameterValues = Readonly<Record<string, string>>

export interface ParameterChoices {
  readonly element: HTMLElement
  /** Once the lists of values are there, or cannot be. */
  readonly ready: Promise<void>
  set(values: ParameterValues): void
  /** `Склад: Центральный; Вид: Доход`; empty if nothing is chosen. */
  words(values: ParameterValues): string
}

type Described = Required<Pick<ReportDescription, 'parameters'>>
type Choose = (value: string) => void

interface Control {
  readonly element: HTMLInputElement | HTMLSelectElement
  readonly list?: HTMLElement
  set(value: string): void
}

/** A longer list is searched by its labels. */
const MAX_OPTIONS = 20

export function parameterChoices(
  { code, parameters = [] }: ReportDescription,
  onChange: (values: ParameterValues) => void,
  signal: AbortSignal,
): ParameterChoices {
  const element = h('div', { className: 'parameters', hidden: parameters.length === 0 })
  let values: ParameterValues = {}
  let described = parameters
  const controls = new Map<string, Control>()

  function change(name: string, value: string): void {
    const { [name]: _, ...others } = values
    onChange(value === '' ? others : { ...others, [name]: value })
  }

  function draw(): void {
    const labels = described.map(parameter => {
      const { name, title } = parameter
      const control = controlOf(parameter, value => change(name, value))
      controls.set(name, control)
      return h('label', {}, `${title} `, control.element, control.list)
    })
    element.replaceChildren(...labels)
    set(values)
  }

  function set(shown: ParameterValues): void {
    values = shown
    for (const [name, control] of controls) control.set(values[name] ?? '')
  }

  async function load(): Promise<void> {
    if (parameters.length === 0) return
    try {
      const path = `/reports/${code}/parameters`
      described = (await requestJson<Pick<Described, 'parameters'>>(path, signal)).parameters
    } catch {
      // why: without their list, values may still be typed
    }
    draw()
  }

  return {
    element,
    ready: load(),
    set,
    words: chosen =>
      described
        .filter(({ name }) => chosen[name] !== undefined)
        .map(one => `${one.title}: ${labelOf(one, chosen[one.name]!)}`)
        .join('; '),
  }
}

function labelOf({ type, values }: ReportParameter, value: string): string {
  return (
    (type === 'boolean' ? TRUTH : values)?.find(one => String(one.value) === value)?.label ?? value
  )
}

function controlOf(parameter: ReportParameter, choose: Choose): Control {
  const { type, values } = parameter
  const all = type === 'boolean' ? TRUTH : values
  if (all === null) return inputOf(parameter, choose)
  return all.length > MAX_OPTIONS ? searchOf(parameter, choose) : selectOf(parameter, all, choose)
}

function selectOf({ default: own }: ReportParameter, all: Values, choose: Choose): Control {
  const options = all.map(({ value, label }) => h('option', { value: String(value) }, label))
  const any = h('option', { value: '' }, own === null ? TEXTS.anyValue : String(own))
  const element = h('select', {}, any, ...options)
  element.addEventListener('change', () => choose(element.value))
  return { element, set: value => (element.value = value) }
}

type Values = NonNullable<ReportParameter['values']>

let count = 0

const TRUTH = [
  { value: true, label: TEXTS.yes },
  { value: false, label: TEXTS.no },
]

/** The text is a label of the list. */
function searchOf(parameter: ReportParameter, choose: Choose): Control {
  const values = parameter.values!
  const id = `values${(count += 1)}`
  const list = h('datalist', { id }, ...values.map(({ label }) => h('option', { value: label })))
  const element = h('input', { type: 'search', placeholder: TEXTS.anyValue })
  element.setAttribute('list', id)
  element.addEventListener('change', () => {
    const found = values.find(({ label }) => label === element.value.trim())
    const isKnown = element.value === '' || found !== undefined
    element.setCustomValidity(isKnown ? '' : TEXTS.unknownValue)
    if (isKnown) choose(found === undefined ? '' : String(found.value))
    else element.reportValidity()
  })
  return { element, list, set: value => (element.value = value && labelOf(parameter, value)) }
}

const INPUT_TYPES: Readonly<Record<string, string>> = { date: 'date' }

function inputOf({ type, default: own }: ReportParameter, choose: Choose): Control {
  const placeholder = own === null ? TEXTS.anyValue : String(own)
  const element = h('input', { type: INPUT_TYPES[type] ?? 'text', placeholder })
  element.addEventListener('change', () => choose(element.value.trim()))
  return { element, set: value => (element.value = value) }
}
