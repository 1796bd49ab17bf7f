import { expect } from 'chai'
import * as fc from 'fast-check'
import { chooseCoding } from '../../src/serve/http/negotiation.ts'
import { CODINGS } from '../../src/serve/body/content-coding.ts'
import type { Coding } from '../../src/serve/body/content-coding.ts'

const ALL: readonly Coding[] = ['zstd', 'br', 'gzip']
const NODE_20: readonly Coding[] = ['br', 'gzip']

/** Codings of a header with their weights in thousandths. */
const weightedCodings = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('gzip', 'br', 'zstd', 'deflate', 'identity', 'compress', '*'),
    weight: fc.integer({ min: 0, max: 1000 }),
    blank: fc.constantFrom('', ' ', '\t', '  '),
    isUpper: fc.boolean(),
  }),
  { selector: ({ name }) => name },
)
type WeightedCodings = typeof weightedCodings extends fc.Arbitrary<infer Each> ? Each : never

const headerOf = (list: WeightedCodings): string =>
  list
    .map(({ name, weight, blank, isUpper }) => {
      const text = `${blank}${name}${blank};${blank}q=${weight / 1000}${blank}`
      return isUpper ? text.toUpperCase() : text
    })
    .join(',')

describe('the content coding of a response', () => {
  for (const [header, withZstd, without] of [
    ['gzip, deflate, br, zstd', 'zstd', 'br'],
    ['deflate, gzip, br, zstd', 'zstd', 'br'],
    ['gzip, deflate, br', 'br', 'br'],
    ['gzip, deflate', 'gzip', 'gzip'],
    ['gzip', 'gzip', 'gzip'],
    ['x-gzip', 'gzip', 'gzip'],
    ['GZip;Q=0.5', 'gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0.9, zstd;q=0.8', 'gzip', 'gzip'],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', 'br', 'br'],
    ['zstd;q=0, br', 'br', 'br'],
    ['*', 'gzip', 'gzip'],
    ['gzip;q=0, *', 'identity', 'identity'],
    ['gzip;q=0', 'identity', 'identity'],
    ['gzip, identity', 'gzip', 'gzip'],
    ['identity, gzip;q=0.5', 'identity', 'identity'],
    ['gzip;q=0.5', 'gzip', 'gzip'],
    ['gzip, gzip;q=0', 'identity', 'identity'],
    ['identity;q=0', 'identity', 'identity'],
    ['*;q=0', 'identity', 'identity'],
    ['deflate', 'identity', 'identity'],
    ['', 'identity', 'identity'],
    [' , ,', 'identity', 'identity'],
    ['gzip;q=2', 'identity', 'identity'],
    ['gzip;q=-1, br;q=x, zstd;level=3', 'identity', 'identity'],
    ['gzip br', 'identity', 'identity'],
    [', gzip ;\tq=0.001 ,', 'gzip', 'gzip'],
  ] as const) {
    it(`for "${header}" is ${withZstd}${without === withZstd ? '' : `, ${without} without zstd`}`, () => {
      expect(chooseCoding(header, ALL)).to.equal(withZstd)
      expect(chooseCoding(header, NODE_20)).to.equal(without)
    })
  }

  it('has the highest weight, in any order, and is never excluded', () => {
    fc.assert(
      fc.property(weightedCodings, list => {
        const weights = new Map<string, number>(list.map(({ name, weight }) => [name, weight]))
        const weightOf = (coding: string): number =>
          weights.get(coding) ?? (coding === 'gzip' ? (weights.get('*') ?? 0) : 0)
        const chosen = chooseCoding(headerOf(list), ALL)
        if (chosen !== 'identity') expect(weightOf(chosen)).to.be.greaterThan(0)
        expect(weightOf(chosen)).to.equal(Math.max(...[...ALL, 'identity'].map(weightOf)))
        expect(chooseCoding(headerOf([...list].toReversed()), ALL)).to.equal(chosen)
      }),
    )
  })

  it('is supported by this Node for any header, and deterministic', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), weightedCodings.map(headerOf)), header => {
        const chosen = chooseCoding(header)
        expect(chosen).to.equal(chooseCoding(header, CODINGS))
        expect(chooseCoding(header)).to.equal(chosen)
      }),
    )
  })

  it('is identity without a header and for a header that is too long', () => {
    expect(chooseCoding(undefined)).to.equal('identity')
    expect(chooseCoding('gzip')).to.equal('gzip')
    expect(chooseCoding(`gzip${', deflate'.repeat(2000)}`)).to.equal('identity')
  })
})
