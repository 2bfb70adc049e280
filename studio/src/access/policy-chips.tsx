// The policies of a role, a person or the public: links to each, and buttons to take one away or add another.

import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Link } from 'wouter';
import { Icon } from '../primitives/icon.js';
import { showToast } from '../primitives/toasts.js';
import { useText } from '../text/use-text.js';
import { attach, detach, type Named, type Link as PolicyLink, useAccessText, usePolicyText, useRefreshAccess } from './access-data.js';

interface PolicyChipsProps {
  /** Whose policies they are. */
  readonly owner: string;
  readonly to: Parameters<typeof attach>[0];
  readonly links: readonly PolicyLink[];
  /** All there are. */
  readonly policies: readonly Named[];
  /** What it means to have none; unless said otherwise, that nothing is allowed. */
  readonly none?: string;
  /** Those that come from elsewhere, and from where. */
  readonly inherited?: readonly { readonly policy: Named; readonly from: string }[];
}

export function PolicyChips({ owner, to, links, policies, none, inherited = [] }: PolicyChipsProps) {
  const text = useText();
  const access = useAccessText();
  const policyText = usePolicyText();
  const refresh = useRefreshAccess();
  const others = policies.filter(({ id }) => !links.some(({ policy }) => policy.id === id));
  const run = async (act: () => Promise<unknown>, message: string) => {
    try {
      await act();
      showToast(message);
    } catch (error) {
      showToast(error instanceof Error ? error.message : text.unreachable);
    }
    await refresh();
  };
  return (
    <div className="policy-chips">
      {links.length + inherited.length === 0 && <span className="hint">{none ?? access.noPolicies}</span>}
      {inherited.map(({ policy, from }) => (
        <span key={policy.id} className="policy-chip inherited" title={access.inheritedFrom(from)}>
          <Link
            className="inherited-link"
            href={`/policies/${policy.id}`}
            aria-label={`${policyText(policy.name)}, ${access.inheritedFrom(from)}`}
          >
            {policyText(policy.name)}
          </Link>
        </span>
      ))}
      {links.map((link) => (
        <span key={link.id} className="policy-chip">
          <Link href={`/policies/${link.policy.id}`}>{policyText(link.policy.name)}</Link>
          <button
            type="button"
            aria-label={access.detachPolicy(policyText(link.policy.name), owner)}
            title={access.detachPolicy(policyText(link.policy.name), owner)}
            onClick={() => run(() => detach(link), access.policyTaken(policyText(link.policy.name), owner))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {others.length > 0 && (
        <MenuTrigger>
          <Button className="button quiet small" aria-label={access.addPolicyTo(owner)}>
            <Icon name="plus" />
            {links.length + inherited.length === 0 && access.addPolicy}
          </Button>
          <Popover className="popover" placement="bottom start">
            <Menu aria-label={access.addPolicyTo(owner)} className="menu">
              {others.map((policy) => (
                <MenuItem
                  key={policy.id}
                  className="option"
                  onAction={() => run(() => attach(to, policy.id), access.policyAdded(policyText(policy.name), owner))}
                >
                  {policyText(policy.name)}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
    </div>
  );
}
