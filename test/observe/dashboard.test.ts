// The dashboard: its form, and queries that Prometheus accepts, by names and labels that exist.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { METRIC_TABLE } from '../../src/serve/observe/metric-table.ts'
import { codeOf, readDocument, rowsOf } from '../harness/document.ts'
import { skip } from '../harness/skip.ts'
import { temporaryFolder } from '../harness/temporary-folder.ts'

interface Target {
  readonly refId: string
  readonly expr: string
  readonly datasource: { readonly uid: string }
}

interface Dashboard {
  readonly uid: string
  readonly panels: ReadonlyArray<{
    readonly id: number
    readonly type: string
    readonly title: string
    readonly description?: string
    readonly datasource?: { readonly uid: string }
    readonly fieldConfig?: { readonly defaults: { readonly unit?: string } }
    readonly targets?: readonly Target[]
  }>
  readonly templating: { readonly list: ReadonlyArray<Readonly<Record<'name' | 'type', string>>> }
  readonly annotations: { readonly list: ReadonlyArray<{ readonly expr: string }> }
}

const dashboard = JSON.parse(readFileSync('config/grafana/svodka.json', 'utf8')) as Dashboard
const graphs = dashboard.panels.filter(({ type }) => type !== 'row')
const expressions = graphs.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

describe('the dashboard', () => {
  it('can be imported again over itself, into any data source', () => {
    expect(dashboard.uid).to.equal('svodka')
    expect(dashboard).not.to.have.any.keys('__inputs', 'id')
    const { list } = dashboard.templating
    expect(list.map(({ name, type }) => [name, type])).to.deep.equal([
      ['datasource', 'datasource'],
      ['instance', 'query'],
      ['report', 'query'],
    ])
    const sources = graphs.flatMap(({ datasource, targets = [] }) => [
      datasource?.uid,
      ...targets.map(target => target.datasource.uid),
    ])
    expect([...new Set(sources)]).to.deep.equal(['${datasource}'])
  })

  it('has unique panels with a title, a unit, a description and queries', () => {
    const ids = dashboard.panels.map(({ id }) => id)
    expect(ids).to.have.length.above(40)
    expect(new Set(ids).size).to.equal(ids.length)
    expect(new Set(graphs.map(({ title }) => title)).size).to.equal(graphs.length)
    for (const { title, description = '', fieldConfig, targets = [] } of graphs) {
      expect(fieldConfig?.defaults.unit, title).to.be.a('string')
      expect(description, title).to.match(/^\S.{8,}\.$/)
      expect(targets, title).not.to.have.length(0)
      expect(new Set(targets.map(({ refId }) => refId)).size, title).to.equal(targets.length)
    }
  })

  it('has each metric of the documentation, and no other of svodka', () => {
    const documented = rowsOf(readDocument('config/README.md').section('Metrics'))
    const names = documented.flatMap(([name = '']) => codeOf(name))
    const texts = expressions.join('\n').match(/svodka_\w+/g) ?? []
    const used = new Set(texts.map(name => name.replace(/_(?:bucket|sum|count)$/, '')))
    expect(names.filter(name => !used.has(name))).to.deep.equal([])
    expect([...used].filter(name => !names.includes(name))).to.deep.equal([])
  })

  it('selects by labels that the metrics have', () => {
    const metrics: Readonly<Record<string, { readonly labels: readonly string[] }>> = METRIC_TABLE
    const selections = expressions.flatMap(text =>
      Array.from(text.matchAll(/(svodka_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/g)),
    )
    expect(selections).to.have.length.above(100)
    for (const [text, name = '', matchers = ''] of selections) {
      const known = ['instance', 'le', ...metrics[name]!.labels]
      const labels = Array.from(matchers.matchAll(/(\w+)=~?"/g), ([, label]) => label)
      expect(labels, text).to.include('instance')
      expect(known, text).to.include.members(labels)
    }
  })

  it('has queries that Prometheus accepts', function () {
    const all = [...expressions, ...dashboard.annotations.list.map(({ expr }) => expr)]
    const rules = all.map((expr, at) => ({
      record: `query:${at}`,
      expr: expr.replaceAll('$__rate_interval', '4s'),
    }))
    const file = join(temporaryFolder(), 'rules.yml')
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
    const { error, status, stderr } = spawnSync('promtool', ['check', 'rules', file])
    if (error !== undefined) skip(this, 'there is no promtool: install prometheus')
    expect(status, stderr.toString()).to.equal(0)
  })
})
