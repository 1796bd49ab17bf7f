import { expect } from 'chai'
import { childrenOf } from '../../../src/demo/processes.ts'
import { createSqlParser, withSqlParser } from '../../../src/definitions/sql/sql-parser.ts'
import { until } from '../../harness/until.ts'

const known = ['period_start', 'organization_id']

describe('the SQL parser', () => {
  it('returns statements, tokens and placeholders with their offsets in the text', async () => {
    const text = `/*--- ё😀 ---*/ select 'Ё', :organization_id /* x */ ; select $1, :other;`
    const from = text.indexOf(' select')
    const { statements, tokens, placeholders } = await withSqlParser(parse =>
      parse({ text, from, placeholders: known }),
    )
    const written = ({ start, end }: { start: number; end: number }) => text.slice(start, end)
    expect(statements.map(written)).to.deep.equal([
      `select 'Ё', :organization_id`,
      'select $1, :other',
    ])
    expect(placeholders.map(use => [use.name, written(use)])).to.deep.equal([
      ['organization_id', ':organization_id'],
      ['other', ':other'],
    ])
    expect(tokens.map(token => `${token.kind} ${written(token)}`).slice(0, 7)).to.deep.equal([
      'keyword select',
      `string 'Ё'`,
      'sign ,',
      'sign :',
      'name organization_id',
      'comment /* x */',
      'sign ;',
    ])
    expect(JSON.stringify(statements[0]?.tree)).to.contain('"ParamRef":{"number":2')
    expect(JSON.stringify(statements[1]?.tree)).to.match(/"ParamRef":\{(?!"number)/)
  })

  it('parses an expression as the only column of a select', async () => {
    const text = ' sum(x) filter (where d < :period_start)'
    const { statements, placeholders } = await withSqlParser(parse =>
      parse({ text, placeholders: known, isExpression: true }),
    )
    expect(statements).to.have.lengthOf(1)
    expect(statements[0]).to.include({ start: 0, end: text.length })
    expect(placeholders[0]?.start).to.equal(text.indexOf(':period_start'))
  })

  it('rejects a NUL byte, because text after it would not be parsed', async () => {
    const text = 'select 1\n\0 from t for update'
    for (const isExpression of [false, true]) {
      const { error, statements } = await withSqlParser(parse =>
        parse({ text, placeholders: known, isExpression }),
      )
      expect(error).to.deep.equal({
        message: 'found a NUL byte, expected text without one',
        offset: 9,
        isUnclosed: false,
      })
      expect(statements).to.deep.equal([])
    }
  })

  it('handles concurrent calls, and rejects calls after close', async () => {
    const parser = createSqlParser()
    const texts = Array.from({ length: 20 }, (_, at) => `select ${at}`)
    const parsed = await Promise.all(texts.map(text => parser.parse({ text, placeholders: [] })))
    expect(parsed.map(({ text }) => text)).to.deep.equal(texts)
    parser.close()
    const error = await parser.parse({ text: 'select 1', placeholders: [] }).catch(String)
    expect(error).to.contain("PostgreSQL's parser")
  })

  it('has no process before the first SQL, and another one after SQL that may have damaged it', async () => {
    const others = new Set(childrenOf(process.pid))
    const children = () => childrenOf(process.pid).filter(pid => !others.has(pid))
    const parser = createSqlParser()
    expect(children()).to.deep.equal([])
    await parser.parse({ text: 'select 1', placeholders: [] })
    const [first] = children()
    const texts = [`select 1${'+1'.repeat(20_000)}`, 'select 2', `select ${'f('.repeat(9000)}`, 'a']
    const parsed = await Promise.all(texts.map(text => parser.parse({ text, placeholders: [] })))
    expect(parsed.map(({ text }) => text)).to.deep.equal(texts)
    const messages = parsed.map(({ error }) => error?.message.slice(0, 12))
    expect(messages.slice(0, 2)).to.deep.equal(['SQL that is ', undefined])
    expect(messages[3]).to.equal('syntax error')
    await until(() => !children().includes(first!))
    parser.close()
  })

  it('fails and ends after a timeout', async () => {
    const parser = createSqlParser(1)
    for (const text of ['select 1', 'select 2']) {
      const error = await parser.parse({ text, placeholders: [] }).catch(String)
      expect(error).to.equal("Error: PostgreSQL's parser has not responded for 0.001 s")
    }
  })
})
