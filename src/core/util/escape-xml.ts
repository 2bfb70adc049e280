/** Text as a value in XML or HTML: between tags, or in an attribute with quotes around it. */
export const escapeXml = (text: string): string => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
