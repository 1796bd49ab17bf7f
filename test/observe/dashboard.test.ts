// The form of the dashboard. That its queries return data is in dashboard.proof.ts.
import { expect } from 'chai'
import { METRIC_TABLE } from '../../src/serve/observe/metric-table.ts'
import { codeOf, readDocument, rowsOf } from '../harness/document.ts'
import { graphsOf, readDashboard } from './dashboard.ts'

const dashboard = readDashboard()
const graphs = graphsOf(dashboard)
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
})
