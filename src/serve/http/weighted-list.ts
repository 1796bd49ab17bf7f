/** Lists such as `Accept` and `Accept-Language`, in linear time. @see https://www.rfc-editor.org/rfc/rfc9110#name-quality-values */

export interface WeightedName {
  /** In lower case, without parameters. */
  readonly name: string
  /** 1 where none is given; 0 where it is no number. */
  readonly weight: number
}

/** Elements in their order; empty ones are ignored. */
export function parseWeightedList(header: string): WeightedName[] {
  const list: WeightedName[] = []
  for (const element of header.toLowerCase().split(',')) {
    const semicolon = element.indexOf(';')
    const name = (semicolon < 0 ? element : element.slice(0, semicolon)).trim()
    if (name === '') continue
    list.push({ name, weight: semicolon < 0 ? 1 : weightOf(element.slice(semicolon + 1)) })
  }
  return list
}

function weightOf(parameters: string): number {
  for (const parameter of parameters.split(';')) {
    const text = parameter.trim()
    if (!text.startsWith('q=')) continue
    const weight = Number.parseFloat(text.slice(2))
    return weight > 0 ? Math.min(weight, 1) : 0
  }
  return 1
}
