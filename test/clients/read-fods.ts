// What LibreOffice saw in a file: the cells of its flat XML, as far as tests look at them.

export interface Cell {
  /** `string`, `float`, `date`, `currency`, ...; undefined where nothing is. */
  readonly type: string | undefined
  /** The figure or the instant, as the file says it; of a text the text. */
  readonly value: string
  readonly isFormula: boolean
}

const ROW = /<table:table-row[ >]([^]*?)<\/table:table-row>/g
const CELL = /<table:table-cell([^>]*?)(?:\/>|>([^]*?)<\/table:table-cell>)/g
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/** Rows of a sheet, without blank ones and without the blank cells at their ends. @throws Error if there is no such sheet */
export function readSheet(fods: string, name: string): Cell[][] {
  const [, after] = fods.split(`<table:table table:name="${name}"`)
  if (after === undefined) throw new Error(`there is no sheet ${name}`)
  const [sheet = ''] = after.split('</table:table>')
  return [...sheet.matchAll(ROW)].map(([, row = '']) => cellsOf(row)).filter(row => row.length > 0)
}

function cellsOf(row: string): Cell[] {
  const cells = [...row.matchAll(CELL)].flatMap(([, attributes = '', inside = '']) => {
    const attribute = (key: string): string | undefined =>
      new RegExp(`${key}="([^"]*)"`).exec(attributes)?.[1]
    const type = attribute(' office:value-type')
    const figure = attribute('office:value') ?? attribute('office:date-value')
    const cell = {
      type,
      value: figure ?? textOf(inside),
      isFormula: attribute('table:formula') !== undefined,
    }
    const repeated = Number(attribute('table:number-columns-repeated') ?? 1)
    return type === undefined && repeated > 100 ? [] : Array.from({ length: repeated }, () => cell)
  })
  while (cells.at(-1)?.type === undefined && cells.length > 0) cells.pop()
  return cells
}

function textOf(inside: string): string {
  const lines = [...inside.matchAll(/<text:p>([^]*?)<\/text:p>/g)].map(([, line = '']) => line)
  return lines
    .join('\n')
    .replaceAll('<text:tab/>', '\t')
    .replaceAll('<text:s/>', ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '')
}
