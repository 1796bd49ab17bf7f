// The tables of the documents match the code, word for word if the code has the text.
import { expect } from 'chai'
import { createProgram } from '../../src/command-line.ts'
import type { Setting } from '../../src/config/setting.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { PROBLEMS } from '../../src/model/errors.ts'
import { REPORT_FORMATS } from '../../src/model/terms.ts'
import { METRIC_TABLE } from '../../src/serve/observe/metric-table.ts'
import { DOCUMENTS, readDocument, rowsOf } from '../harness/document.ts'

const api = readDocument('src/serve/README.md')
const operator = readDocument('config/README.md')
const author = readDocument('sql/README.md')

const code = (text: string | undefined): string => (text === undefined ? '' : `\`${text}\``)

describe('the tables of the documents', () => {
  it('have every setting with its default and meaning, and no other', () => {
    const settings: readonly Setting[] = Object.values(SETTINGS)
    const defaultOf = (setting: Setting): string =>
      code(setting.default) || (setting.defaultsTo ?? 'required')
    expect(rowsOf(operator.section('Settings'))).to.deep.equal(
      settings.map(setting => [code(setting.name), defaultOf(setting), setting.help]),
    )
  })

  it('have every error code with its status, and no other', () => {
    const documented = rowsOf(api.section('Errors'))
    expect(documented.map(row => row.slice(0, 2))).to.deep.equal(
      Object.entries(PROBLEMS).map(([name, { status }]) => [code(name), String(status)]),
    )
    for (const [name, , when] of documented) expect(when, name).to.match(/^\S.{8,}/)
  })

  it('have every format, and no other', () => {
    const suffixes = rowsOf(api.section('Formats')).flatMap(
      ([suffix = '']) => /^`\.([a-z]+)`$/.exec(suffix)?.[1] ?? [],
    )
    expect(suffixes).to.deep.equal(REPORT_FORMATS)
  })

  it('have every metric with its kind, labels and meaning, and no other', () => {
    expect(rowsOf(operator.section('Metrics'))).to.deep.equal(
      Object.entries(METRIC_TABLE).map(([name, { kind, labels, help }]) => [
        code(name),
        kind,
        labels.map(code).join(', '),
        help,
      ]),
    )
  })

  it('have every command, and no other', () => {
    const documented = rowsOf(author.section('The command line')).map(
      ([command = '']) => /^`([a-z]+)/.exec(command)?.[1],
    )
    const { commands } = createProgram({}, async () => {})
    expect(documented).to.have.members(commands.map(command => command.name()))
  })

  for (const path of DOCUMENTS) {
    it(`name only existing metrics and settings, in ${path}`, () => {
      const { text } = readDocument(path)
      const metrics = text.match(/\bsvodka_(?!reports|keys\b|probe\b|loads?\b)\w+[a-z]\b/g) ?? []
      expect(Object.keys(METRIC_TABLE)).to.include.members(metrics)
      const settings = Object.values(SETTINGS).map(({ name }): string => name)
      const stems = new Set(settings.map(name => name.split('_')[0]))
      const named = text.match(/\b[A-Z]+(?:_[A-Z]+)+\b(?!_)/g) ?? []
      const ours = named.filter(name => stems.has(name.split('_')[0]) && name !== 'KEYS_DATABASE')
      const files = ['DATABASE_URL_FILE']
      expect([...settings, ...files]).to.include.members(ours)
    })
  }
})
