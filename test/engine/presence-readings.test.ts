// Readings of who has an item open: shared by callers with equal rights, and in turns with those of other users.

import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Caller } from '../../src/core/access/view.js';
import type { Work } from '../../src/core/engine/work/work.js';
import { parseQueryObject } from '../../src/core/query/parse/parse-query-object.js';
import { defaultQueryLimits } from '../../src/core/query/query.js';
import { PresenceBoard } from '../../src/service/events/presence-board.js';
import { type OpenItem, PresenceReadings } from '../../src/service/events/presence-readings.js';
import { Turns } from '../../src/service/events/turns.js';
import { describeEachVendor } from '../harness/describe-each-vendor.js';
import { type Newsroom, openNewsroom } from '../harness/open-newsroom.js';

const teams = { collection: 'teams', action: 'read' } as const;
const question = { collection: 'teams', parsed: parseQueryObject({ fields: ['id'] }, defaultQueryLimits), keys: null };
const placeOf = (id: number): string => `["teams","${id}"]`;

describeEachVendor('readings of presences', (vendor) => {
  let room: Newsroom;
  let turns: Turns;
  let board: PresenceBoard;
  let readings: PresenceReadings;
  /** Whose rights were read with, in order. */
  let reads: Caller[];

  const item = (caller: Caller, id: number, owner: string): OpenItem => {
    return { caller, question, key: id, place: placeOf(id), rights: readings.rightsOf(caller, question), owner };
  };

  beforeAll(async () => {
    room = await openNewsroom(vendor);
    await room.writer.transaction(room.admin, (work) =>
      room.writer.create(
        work,
        'teams',
        [1, 2, 3].map((id) => ({ id, name: 'team' })),
      ),
    );
  });
  beforeEach(() => {
    turns = new Turns(1);
    board = new PresenceBoard();
    reads = [];
    const work = (caller: Caller): Work => {
      reads.push(caller);
      return { caller, connection: room.dialect.driver, signal: null, afterCommit: null };
    };
    const report = (error: unknown): never => {
      throw error;
    };
    readings = new PresenceReadings({ board, reader: room.reader, limits: defaultQueryLimits, turns, work, report });
  });
  afterAll(() => room.close());

  it('are one for all callers with equal rights, and tell everybody the same', async () => {
    const [all, some, none] = [room.caller([teams]), room.caller([{ ...teams, rule: { id: { _eq: 1 } } }]), room.caller([])];
    expect(() => item(none, 1, 'ann')).toThrow('teams');
    board.enter(placeOf(1), Symbol('visit'), 'cid');
    const answers = await Promise.all([
      ...Array.from({ length: 300 }, () => readings.read(item({ ...all }, 1, 'ann'))),
      ...Array.from({ length: 300 }, () => readings.read(item({ ...some }, 1, 'bob'))),
    ]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"ids":["cid"],"users":[]}']));
    expect(reads).toHaveLength(2);
    // What the rule hides is not told.
    expect(await readings.read(item(some, 2, 'bob'))).toBeNull();
    board.close();
  });

  it('that have begun are not shared with those who ask later', async () => {
    const caller = room.caller([teams]);
    const end = await turns.take('somebody');
    const first = readings.read(item(caller, 1, 'ann'));
    board.enter(placeOf(1), Symbol('visit'), 'cid');
    end();
    expect(await first).toMatchObject({ ids: ['cid'] });
    const begun = readings.read(item(caller, 1, 'ann'));
    await Promise.resolve();
    const later = readings.read(item(caller, 1, 'ann'));
    board.enter(placeOf(1), Symbol('visit'), 'dan');
    await begun;
    expect(await later).toMatchObject({ ids: ['cid', 'dan'] });
    expect(reads).toHaveLength(3);
    board.close();
  });

  it('take turns by user with everything else that is read for subscribers', async () => {
    const caller = room.caller([teams]);
    const end = await turns.take('somebody');
    const many = [1, 2, 3].map((id) => readings.read(item(caller, id, 'ann')));
    let readBefore = 0;
    const list = turns.take('bob').then((endList) => {
      readBefore = reads.length;
      endList();
    });
    end();
    await Promise.all([...many, list]);
    expect([readBefore, reads.length]).toEqual([1, 3]);
  });
});
