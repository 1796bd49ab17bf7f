import { expect } from 'chai'
import * as fc from 'fast-check'
import { lex, significant } from '../../src/definitions/lexer.ts'

function texts(sql: string): string[] {
  return lex(sql).map(token => token.text)
}

function placeholders(sql: string): string[] {
  return lex(sql).flatMap(token => (token.kind === 'placeholder' ? [token.text] : []))
}

describe('lexer', () => {
  it('finds placeholders where a value may stand', () => {
    const sql = `a = :a and b>=:b and (:c) and f(:d,:e) and -:f and x::date < :g::date`
    expect(placeholders(sql)).to.deep.equal([':a', ':b', ':c', ':d', ':e', ':f', ':g'])
    expect(placeholders('case when x then:a end ||:b')).to.deep.equal([':b'])
    expect(placeholders('array[:a, :b] || array[[:c], [1, :d]]')).to.have.lengthOf(4)
    expect(placeholders('/* x */:a -- :b\n:c')).to.deep.equal([':a', ':c'])
    expect(placeholders(':Today :имя :a1_b')).to.deep.equal([':Today', ':имя', ':a1_b'])
  })

  it('leaves casts, slices, named arguments and operators alone', () => {
    const none = [
      'x::date, x::numeric(14,2)[]',
      'a[1:2], a[:n], a[n:], a[ :n ], a[1 :n], (f(x))[lower:upper], a[1][2:n]',
      'f(a := 1, b:=2)',
      `data ? 'key' and data ?| array['a'] and data @? '$.a'`,
      'x : y',
      `1:2`,
    ]
    for (const sql of none) expect(placeholders(sql), sql).to.deep.equal([])
    expect(placeholders('a[(:n):2], a[f(:m):2]')).to.deep.equal([':n', ':m'])
  })

  it('takes a colon right behind a word for no placeholder', () => {
    expect(placeholders('limit:n')).to.deep.equal([])
    expect(placeholders(':a:b')).to.deep.equal([':a'])
    expect(placeholders('(x):b')).to.deep.equal([])
  })

  const whole: Array<[string, string]> = [
    ['string', `'it''s :a'`],
    ['string', `E'it\\'s :a \\\\'`],
    ['string', `e'a' \n 'it\\'s :a'`],
    ['string', `E'a' -- b\n -- c\r'd'`],
    ['string', `'back\\'`],
    ['string', `U&'\\0441 :a'`],
    ['string', `B'01'`],
    ['string', `x'1F'`],
    ['string', `n'a'`],
    ['quoted', `"a "" :b"`],
    ['quoted', `U&"\\0441 :a"`],
    ['dollar', `$$ it's :a $ $$`],
    ['dollar', `$tag$ :a $$ $other$ $tag$`],
    ['dollar', `$тег$ :a $тег$`],
    ['comment', '-- it\'s :a "'],
    ['comment', '/* :a /* :b */ "\' */'],
    ['comment', '/**/'],
    ['number', '1.5e-10'],
    ['number', '.5'],
    ['number', '1_000'],
    ['number', '0x1F'],
    ['parameter', '$12'],
    ['word', 'a$1'],
    ['word', 'статья_1'],
    ['operator', '::'],
    ['operator', ':='],
    ['operator', '->>'],
    ['operator', '?|'],
    ['unclosed', `'it''s :a`],
    ['unclosed', `"a :b`],
    ['unclosed', '/* /* :a */'],
    ['unclosed', `$a$ :b $A$`],
    ['unclosed', `E'a\\'`],
    ['unclosed', `E'a'\n'b`],
  ]
  for (const [kind, text] of whole) {
    it(`takes ${JSON.stringify(text)} for one ${kind}`, () => {
      const tokens = lex(` ${text}`)
      expect(tokens).to.deep.equal([{ kind, text, start: 1, end: 1 + text.length, line: 1 }])
    })
  }

  it('ends an operator where a comment begins', () => {
    expect(texts('1+--x\n2*/* y */3')).to.deep.equal(['1', '+', '--x', '2', '*', '/* y */', '3'])
    expect(texts(`a=-1;b`)).to.deep.equal(['a', '=-', '1', ';', 'b'])
  })

  it('counts lines from the one that it is told, through tokens of many lines', () => {
    const lines = lex(`a\r\nb /* \n */ c '\n' d`, 0, 5).map(({ text, line }) => [text, line])
    expect(lines).to.deep.equal([
      ['a', 5],
      ['b', 6],
      ['/* \n */', 6],
      ['c', 7],
      [`'\n'`, 7],
      ['d', 8],
    ])
    expect(lex('x\ny\nz', 4).map(({ text, line }) => [text, line])).to.deep.equal([['z', 3]])
  })

  const sqlish = fc
    .array(fc.constantFrom(...whole.map(([, text]) => text), ' ', '\n', ':', 'a', "'", '[', '('))
    .map(parts => parts.join(''))

  it('loses nothing: tokens and the blanks between them are the text', () => {
    fc.assert(
      fc.property(fc.oneof(sqlish, fc.string({ unit: 'binary' })), sql => {
        let at = 0
        for (const token of lex(sql)) {
          expect(sql.slice(at, token.start)).to.match(/^[ \t\n\r\f\v]*$/)
          expect(sql.slice(token.start, token.end)).to.equal(token.text).and.not.equal('')
          at = token.end
        }
        expect(sql.slice(at)).to.match(/^[ \t\n\r\f\v]*$/)
      }),
    )
  })

  it('finds no placeholder in quotes and comments, whatever they hold', () => {
    const content = fc
      .array(fc.constantFrom(':a', "'", '"', '$', '\\', '*', '/', '\n', '-', ' ', 'x'))
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(content, text => {
        const hiding = [
          `'${text.replaceAll("'", "''")}'`,
          `E'${text.replaceAll(/['\\]/g, '\\$&')}'`,
          `"${text.replaceAll('"', '""')}"`,
          `$q$${text}$q$`,
          `/*${text.replaceAll(/[*/]/g, '')}*/`,
          `--${text.replaceAll('\n', '')}\n`,
        ]
        for (const hidden of hiding) {
          expect(placeholders(`:b ${hidden} :c`), hidden).to.deep.equal([':b', ':c'])
        }
      }),
    )
  })

  it('drops comments alone from what is significant', () => {
    const tokens = significant(lex(`select -- x\n 'a' /* y */ ;`))
    expect(tokens.map(token => token.text)).to.deep.equal(['select', "'a'", ';'])
  })
})
