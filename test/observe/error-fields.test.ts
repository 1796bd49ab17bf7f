import { expect } from 'chai'
import { createSecretRemoval } from '../../src/model/secrets.ts'
import { PASSWORDS, piecesOf } from '../harness/passwords.ts'
import { capture, failure, request, run } from './observed.ts'

describe('errors in the log', () => {
  it('has no secret: no statement, no bound value, no row, no password', () => {
    const log = capture({ level: 'trace' })
    const error = failure('no pg_hba.conf entry: postgres://reports:secret-1@replica/erp', {
      code: '22P02',
      detail: 'Failing row contains (secret-2).',
      where: "unnamed portal with parameters: $1 = 'secret-3'",
      query: 'select secret-4',
      internalQuery: 'select secret-5',
      parameters: ['secret-6'],
      hint: 'secret-7',
      config: { password: 'secret-8' },
    })
    log.observe(request({ status: 500, cause: new Error('x', { cause: error }) }))
    log.observe(run({ outcome: 'error', error }))
    log.observe({ kind: 'key-lookup', keyCount: 1, durationMs: 1, error })
    log.observe({ kind: 'connection-lost', pool: 'keys', error })
    log.observe({ kind: 'process-error', error })
    log.log.error({ err: error }, 'direct')
    expect(log.texts).to.have.lengthOf(6)
    expect(log.texts.join('')).not.to.contain('secret')
  })

  it('has no part of a password, with any characters', () => {
    // why: a blank or a quote ends the URL in a text
    for (const password of PASSWORDS.filter(each => !/[ "]/.test(each))) {
      const encoded = encodeURIComponent(password)
      for (const userinfo of [`u:${password}`, `u:${encoded}`]) {
        const log = capture({ level: 'trace' })
        const urls = `postgres://${userinfo}@one/erp,postgres://${userinfo}@two/erp`
        const error = new AggregateError([new Error(urls), urls], '', { cause: new Error(urls) })
        log.observe({ kind: 'process-error', error })
        for (const piece of piecesOf(password)) expect(log.texts.join('')).not.to.contain(piece)
        log.close()
      }
    }
  })

  it('has no part of a password at the end of a truncated text', () => {
    const password = 'Xq7kBVw9mT-Kz3cDRt5fG'
    const removeSecrets = createSecretRemoval([`postgres://u:${password}@one/erp`])
    for (const longest of [2000, 8000]) {
      const before = 'x'.repeat(longest - 'Error: '.length - 10)
      for (const text of [before, `${before}${'y'.repeat(7)}`]) {
        const log = capture({ level: 'trace', removeSecrets })
        log.observe({ kind: 'process-error', error: new Error(`${text}${password}`) })
        expect(log.texts.join(''), `${longest}`).not.to.contain(password.slice(0, 3))
      }
    }
  })

  it('has no password of the settings in any line', () => {
    const removeSecrets = createSecretRemoval(['postgres://u:Xq7kBVw9mT@one/erp'])
    const log = capture({ removeSecrets })
    log.log.info({ replica: 'u:Xq7kBVw9mT' }, 'connected with Xq7kBVw9mT')
    expect(log.texts.join('')).to.contain('connected with').and.not.contain('Xq7k')
  })

  it('accepts any thrown value', () => {
    const log = capture()
    const refused = new AggregateError([new Error('::1 refused'), 'other'], '')
    log.observe({ kind: 'process-error', error: 'text' })
    log.observe({ kind: 'process-error', error: undefined })
    log.observe({ kind: 'process-error', error: refused })
    const messages = log.lines().map(({ err }) => Object(err).message)
    expect(messages).to.deep.equal(['text', undefined, '::1 refused; other'])
  })
})
