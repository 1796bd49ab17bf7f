import { expect } from 'chai'
import { createSecretRemoval, hideCredentials } from '../src/model/secrets.ts'
import { PASSWORDS, piecesOf } from './harness/passwords.ts'

describe('the removal of secrets', () => {
  for (const password of PASSWORDS) {
    it(`hides ${password} in every spelling, and in unknown URLs`, () => {
      const encoded = encodeURIComponent(password)
      const url = `postgres://reports:${encoded}@replica.example/erp`
      const remove = createSecretRemoval([url, 'postgres://keys@primary.example/erp'])
      const unknown = `postgres://reports:${password}@replica.example/erp`
      const removed = [
        `cannot connect to ${url}, ${url}`,
        `password "${password}" is wrong`,
        JSON.stringify({ msg: `password ${password}` }),
        `${encoded} and ${encoded.replaceAll(/%../g, code => code.toLowerCase())}`,
        `${unknown},postgres://x:${password}@two/erp`,
      ].map(remove)
      const urls = [unknown, `no entry for ${unknown}: ${unknown}`, `"${unknown}","${unknown}"`]
      // why: a space or a quote ends a URL in text
      const hidden = /[ "]/.test(password) ? [] : urls.map(hideCredentials)
      for (const piece of piecesOf(password)) {
        expect([...removed, ...hidden].join('\n')).not.to.contain(piece)
      }
      for (const text of hidden) expect(text).to.contain('postgres://***@replica.example/erp')
    })
  }

  it('hides passwords in a query and in an invalid URL, and values that are not URLs', () => {
    const remove = createSecretRemoval([
      'postgres://h/d?user=u&password=hunter2%2F3',
      'postgres://u:correct/horse@h:x/d',
      'battery-staple',
    ])
    expect(remove('hunter2/3 hunter2%2F3 correct/horse battery-staple')).to.equal('*** *** *** ***')
  })

  it('does not hide words that equal a short or public password', () => {
    const remove = createSecretRemoval([
      'postgres://a:info@one/d',
      'postgres://svodka_reports:svodka_reports@two/product_db',
      'postgres://b:product_db@three/d',
    ])
    const text = '{"level":"info","msg":"role svodka_reports of product_db is refused"}'
    expect(remove(text)).to.equal(text)
    expect(remove('postgres://a:info@one/d')).to.equal('postgres://***@one/d')
    const example = 'such as postgres://user:password@host:5432/database or postgres://reports@host'
    expect(remove(example)).to.equal(example)
  })

  it('hides a password of eight letters in any text, and of seven only in URLs', () => {
    const remove = createSecretRemoval([
      'postgres://a:eighthly@one/d',
      'postgres://a:seventh@two/d',
    ])
    const text = 'eighthly seventh postgres://a:seventh@two/d'
    expect(remove(text)).to.equal('*** seventh postgres://***@two/d')
  })

  it('does not change text without credentials', () => {
    for (const text of ['', 'http://127.0.0.1:8080 and a@b', 'a://b ://', '://@', 'x'.repeat(99)]) {
      expect(hideCredentials(text)).to.equal(text)
    }
  })

  it('takes linear time', () => {
    const startedAt = performance.now()
    for (const part of ['://', 'a://', 'postgres://x ', '@', 'a.-']) {
      hideCredentials(part.repeat(1_000_000 / part.length))
    }
    expect(performance.now() - startedAt).to.be.below(3000)
  })
})
