import { expect } from 'chai'
import { timeZoneFault } from '../../src/definitions/time-zone-name.ts'

describe('the name of a time zone', () => {
  // why: Node 24 takes the first ones for zones, with the sign of ISO 8601, PostgreSQL with that of POSIX
  for (const offset of [
    '+03:00',
    '-03:00',
    '+03',
    '-5',
    '03:00',
    'UTC+3',
    'UTC-3',
    'GMT-3',
    'GMT+00',
    'UTC+0',
    'MSK-3',
    'MSK-3MSD',
    '<+03>-3',
  ]) {
    it(`is no offset: ${offset}`, () => {
      expect(timeZoneFault(offset)).to.equal(
        `time_zone is "${offset}", an offset, expected an IANA name such as Europe/Moscow`,
      )
    })
  }

  for (const name of [
    'Europe/Moscow',
    'europe/moscow',
    'Etc/GMT+3',
    'Etc/GMT-14',
    'America/Port-au-Prince',
    'EST5EDT',
    'GMT+0',
    'GMT-0',
    'gmt-0',
    'W-SU',
    'UTC',
  ]) {
    it(`is one that this runtime knows: ${name}`, () => {
      expect(timeZoneFault(name)).to.equal(undefined)
    })
  }

  for (const name of ['Mars/Olympus', '', 'MSK', 'MSK3', 'Europe/Moscow ', 'posixrules']) {
    it(`is no text that this runtime does not know: "${name}"`, () => {
      expect(timeZoneFault(name)).to.match(/, which Node does not know, expected an IANA name/)
    })
  }
})
