// Who is signed in, and what they may do about it.

import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useLocation } from 'wouter';
import { leaveStudio } from '../api/boot.js';
import { Icon } from '../primitives/icon.js';
import { useStudio } from '../studio-context.js';
import { useText } from '../text/use-text.js';

export function AccountMenu() {
  const text = useText();
  const { boot } = useStudio();
  const [, navigate] = useLocation();
  const { first_name, last_name, email } = boot.me;
  const name = [first_name, last_name].filter(Boolean).join(' ') || (email ?? text.account);
  return (
    <MenuTrigger>
      <Button className="button quiet" aria-label={`${text.account}: ${name}`}>
        <Icon name="user" />
        <span>{name}</span>
      </Button>
      <Popover className="popover" placement="top start">
        <Menu>
          {boot.seen === null && (
            <MenuItem className="option" onAction={() => navigate('/me')}>
              {text.ownAccount}
            </MenuItem>
          )}
          <MenuItem className="option" onAction={() => navigate('/api')}>
            {text.reference}
          </MenuItem>
          <MenuItem className="option" onAction={leaveStudio}>
            {text.signOut}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
