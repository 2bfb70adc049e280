import { describe, expect, it } from 'vitest';
import { childrenOf, elementsOf, onlyChild, readXml } from './read-xml.js';

describe('readXml', () => {
  it('reads elements, attributes, namespaces and text', () => {
    const root = readXml(`\uFEFF<?xml version="1.0" encoding="UTF-8"?>
      <a:Root xmlns:a="urn:a" xmlns="urn:default" A='1 &lt; 2' b:c="x" ><Child>one <a:Inner/>two &amp; &#65;&#x42;</Child><Child xmlns=""/></a:Root>
    `);
    expect([root.name, root.namespace, root.attributes.get('A'), root.attributes.get('b:c')]).toEqual(['Root', 'urn:a', '1 < 2', 'x']);
    const child = onlyChild(root, 'urn:default', 'Child');
    expect([child.text, child.children[0]?.namespace]).toEqual(['one two & AB', 'urn:a']);
    expect(childrenOf(root, '', 'Child')).toHaveLength(1);
    expect([...elementsOf(root)].map(({ name }) => name)).toEqual(['Root', 'Child', 'Inner', 'Child']);
    expect(() => onlyChild(root, 'urn:a', 'Child')).toThrow('Root has no Child');
  });

  it.each([
    ['a comment', '<a><!-- x --></a>'],
    ['CDATA', '<a><![CDATA[x]]></a>'],
    ['a processing instruction', '<a><?x y?></a>'],
    ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
    ['an entity that is not known', '<a>&x;</a>'],
    ['an entity without an end', '<a>&amp</a>'],
    ['a reference to no character', '<a>&#0;</a>'],
    ['half of a character', '<a>&#xD800;</a>'],
    ['a control character', '<a>\u0001</a>'],
    ['two roots', '<a/><b/>'],
    ['text after the root', '<a/>x'],
    ['text before the root', 'x<a/>'],
    ['an element that is not closed', '<a><b></a>'],
    ['an end without a beginning', '</a>'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an attribute without quotes', '<a b=1/>'],
    ['an attribute with a tag in it', '<a b="<"/>'],
    ['a prefix that is not declared', '<a:b/>'],
    ['nothing', ''],
    ['too deep', `${'<a>'.repeat(33)}${'</a>'.repeat(33)}`],
    ['too many elements', `<a>${'<b/>'.repeat(10_000)}</a>`],
    ['too many attributes', `<a ${Array.from({ length: 33 }, (_, index) => `a${index}=""`).join(' ')}/>`],
  ])('refuses %s', (_what, xml) => {
    expect(() => readXml(xml)).toThrow();
  });

  it('takes no longer than the text is long', () => {
    const long = 400_000;
    for (const text of ['<', '<a ', `<a b="`, '<a b', '&', '<a  ', `<a b="c" `]) {
      const before = process.cpuUsage().user;
      expect(() => readXml(`<a>${text.repeat(long / text.length)}`)).toThrow();
      expect(() => readXml(`<a ${text.slice(1).repeat(long / text.length)}`)).toThrow();
      expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
    }
  });
});
