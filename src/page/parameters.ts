/** Chooses values of the parameters of a report: from a list, or any value of the type. */
import { request } from './api.ts'
import type { ReportDescription, ReportParameter } from './api.ts'
import { h } from './dom.ts'
import { EMPTY, formatValue, minorUnits, wholeUnits } from './format.ts'
import { TEXTS } from './texts.ts'

/** By name, as the API takes them. */
export type ParameterValues = Readonly<Record<string, string>>

export interface ParameterChoices {
  readonly element: HTMLElement
  /** Once the lists of values are there, or cannot be. */
  readonly ready: Promise<void>
  set(values: ParameterValues): void
  /** `Warehouse: Main; Kind: Income`; empty if nothing is chosen. */
  words(values: ParameterValues): string
  /** The sentence of the API, which knows values of lists that come from SQL, with their labels. */
  labelled(sentence: string, values: ParameterValues): string
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
    // why: another may be chosen before the rows are there
    values = value === '' ? others : { ...others, [name]: value }
    onChange(values)
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
      const text = await (await request(`/reports/${code}/parameters`, signal)).text()
      // why: a number would lose digits of an id of 64 bits
      const exact = text.replaceAll(/"value":(-?\d{16,})/g, '"value":"$1"')
      described = (JSON.parse(exact) as Described).parameters
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
    labelled: (sentence, chosen) =>
      described.reduce((text, { name, title, values: all }) => {
        const label = all?.find(({ value }) => String(value) === chosen[name])?.label
        const named = `${title}: ${label}`
        if (label === undefined || text.includes(named)) return text
        return text.replace(`${title}: ${chosen[name]}`, () => named)
      }, sentence),
  }
}

type Values = NonNullable<ReportParameter['values']>

const TRUTH = [
  { value: true, label: TEXTS.yes },
  { value: false, label: TEXTS.no },
]

function valuesOf({ type, values }: ReportParameter): Values | null {
  return values ?? (type === 'boolean' ? TRUTH : null)
}

function labelOf(parameter: ReportParameter, value: string): string {
  const { type } = parameter
  const label = valuesOf(parameter)?.find(one => String(one.value) === value)?.label
  return label ?? formatValue(type === 'money' ? Number(value) : value, type)
}

/** What stands for no value. */
function unsetLabel(parameter: ReportParameter): string {
  const { required, default: own } = parameter
  if (own !== null) return labelOf(parameter, String(own))
  return required ? EMPTY : TEXTS.anyValue
}

function controlOf(parameter: ReportParameter, choose: Choose): Control {
  const all = valuesOf(parameter)
  if (all === null) return inputOf(parameter, choose)
  const controlFor = all.length > MAX_OPTIONS ? searchOf : selectOf
  return controlFor(parameter, all, choose)
}

function selectOf(parameter: ReportParameter, all: Values, choose: Choose): Control {
  const own = String(parameter.default)
  const others = all.filter(({ value }) => String(value) !== own)
  const options = others.map(({ value, label }) => h('option', { value: String(value) }, label))
  const unlisted = h('option', { hidden: true })
  const element = h('select', {}, h('option', { value: '' }, unsetLabel(parameter)), ...options)
  element.append(unlisted)
  element.addEventListener('change', () => choose(element.value))
  const set = (value: string): void => {
    element.value = value === own ? '' : value
    if (element.selectedIndex >= 0) return
    unlisted.value = unlisted.text = value
    element.value = value
  }
  return { element, set }
}

let count = 0

/** The text is a label of the list. */
function searchOf(parameter: ReportParameter, all: Values, choose: Choose): Control {
  const values = new Map([['', '']])
  for (const { value, label } of all) {
    const text = label.trim()
    // why: of two with one name, each can be chosen
    values.set(values.has(text) ? `${text} (${value})`.trim() : text, String(value))
  }
  const id = `values${(count += 1)}`
  const options = [...values.keys()].slice(1).map(value => h('option', { value }))
  const list = h('datalist', { id }, ...options)
  const element = h('input', { type: 'search', placeholder: unsetLabel(parameter) })
  element.setAttribute('list', id)
  element.addEventListener('change', () => {
    const value = values.get(element.value.trim())
    element.setCustomValidity(value === undefined ? TEXTS.unknownValue : '')
    if (value === undefined) element.reportValidity()
    else choose(value)
  })
  const set = (value: string): void => {
    element.value = [...values].find(([, one]) => one === value)?.[0] ?? value
    element.setCustomValidity('')
  }
  return { element, list, set }
}

function inputOf(parameter: ReportParameter, choose: Choose): Control {
  const { type } = parameter
  const isMoney = type === 'money'
  const element = h('input', {
    type: type === 'date' ? 'date' : 'text',
    placeholder: unsetLabel(parameter),
  })
  const sent = () => (isMoney ? minorUnits(element.value) : element.value.trim())
  element.addEventListener('change', () => choose(sent()))
  return { element, set: value => (element.value = isMoney ? wholeUnits(value) : value) }
}
