import { expect } from 'chai'
import { as, namesOf, nodesOf, offsetOf, walk } from '../../../src/definitions/sql/syntax-tree.ts'
import { parseSql } from '../../harness/parse-sql.ts'

async function treeOf(text: string) {
  const { statements } = await parseSql({ text, placeholders: [] })
  return statements[0]!.tree
}

describe('a syntax tree', () => {
  it('is walked from parents to children, unless enter skips them', async () => {
    const tree = await treeOf('select f(a, (select b)) over (order by c) from t as u')
    const kinds: string[] = []
    walk(tree, ({ kind }) => {
      kinds.push(kind)
      return kind !== 'SubLink'
    })
    expect(kinds).to.deep.equal(
      'SelectStmt ResTarget FuncCall String ColumnRef String SubLink WindowDef SortBy ColumnRef String RangeVar Alias'.split(
        ' ',
      ),
    )
  })

  it('returns the nodes of a kind, with subqueries or without', async () => {
    const tree = await treeOf('with a as (select b) select c union select (select d)')
    const columns = (subqueries: boolean) =>
      nodesOf(tree, 'ColumnRef', { subqueries }).map(({ fields }) => namesOf(fields).join('.'))
    expect(columns(true)).to.have.members(['b', 'c', 'd'])
    expect(nodesOf(tree, 'SelectStmt')).to.have.lengthOf(5)
    expect(columns(false)).to.deep.equal([])
  })

  it('has nodes at their offsets in the text, with any characters before them', async () => {
    const text = `select 'ё😀' as "Имя",\r\n  lower("Ё") + 1 from t`
    const tree = await treeOf(text)
    const [call] = nodesOf(tree, 'FuncCall')
    expect(text.slice(call?.location)).to.match(/^lower/)
    expect(text.slice(offsetOf(nodesOf(tree, 'A_Expr')))).to.match(/^lower/)
    const [, target] = as(tree, 'SelectStmt')?.targetList ?? []
    expect(as(target, 'FuncCall')).to.equal(undefined)
    expect(text.slice(offsetOf(as(target, 'ResTarget')))).to.match(/^lower/)
    expect(offsetOf(nodesOf(tree, 'String')[0])).to.equal(undefined)
  })
})
